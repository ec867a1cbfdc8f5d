"""Depthwise convolutions over the last few tokens, and the short gated convolution that stands in attention's place."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import Tensor, Use, matrix, vector
from derive.formula.tree import Dim


def depthwise(channels: Dim, d_conv: Dim, *, bias: bool = False) -> tuple[Tensor, ...]:
    """The kernel of a depthwise convolution: d_conv weights for each channel, which looks at its own past alone.

    x: (n, channels) -> y: (n, channels)

    Counts   element by element, so not among the matrix products.
    """
    kernel = Tensor("K", (channels, d_conv), Use.VECTOR)
    return kernel, *((vector("b_K", channels),) if bias else ())


def short_convolution(d: Dim, d_conv: Dim, *, bias: bool = False) -> Component:
    """A short convolution between two gates, in the place of attention.

    x: (n, d) -> B, C and u: (n, d) -> C * conv(B * u): (n, d) -> y: (n, d)

    Counts   with `bias` both projections and the kernel have one: 5d more.
    Source   LFM2 2025, arXiv:2511.23404, section 2.
    """
    inner, outer = (vector("b_in", 3 * d),) if bias else (), (vector("b_out", d),) if bias else ()
    kernel = depthwise(d, d_conv, bias=bias)
    return Component("short convolution", "P_conv", (matrix("W_in", d, 3 * d), *inner, *kernel, matrix("W_out", d, d), *outer))
