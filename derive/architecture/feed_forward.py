"""Feed-forward networks: with two matrices, and gated with three."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import matrix, vector
from derive.formula.tree import Dim


def two_matrix(d: Dim, m: Dim, *, bias: bool = False) -> Component:
    """Feed-forward network of an up- and a down-projection; biases add m + d.

    x: (n, d) -> (n, m) -> y: (n, d)

    Source   Vaswani et al. 2017, arXiv:1706.03762, section 3.3.
    """
    biases = (vector("b_up", m), vector("b_down", d)) if bias else ()
    return Component("feed-forward", "P_ffn", (matrix("W_up", d, m), matrix("W_down", m, d), *biases))


def gated(d: Dim, m: Dim, *, bias: bool = False) -> Component:
    """Gated feed-forward network (SwiGLU, GeGLU): gate, up- and down-projection; biases add 2m + d.

    x: (n, d) -> gate and up: (n, m) -> y: (n, d)

    Source   Shazeer 2020, arXiv:2002.05202, section 2.
    """
    biases = (vector("b_gate", m), vector("b_up", m), vector("b_down", d)) if bias else ()
    return Component(
        "feed-forward",
        "P_ffn",
        (matrix("W_gate", d, m), matrix("W_up", d, m), matrix("W_down", m, d), *biases),
    )
