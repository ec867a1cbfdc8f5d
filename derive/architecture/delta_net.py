"""Linear attention by the delta rule: a matrix state that each token corrects."""

from __future__ import annotations

from typing import Literal, TypeAlias

from derive.architecture.component import Component
from derive.architecture.convolution import depthwise
from derive.architecture.tensor import Tensor, matrix, vector
from derive.formula.tree import Dim

Fused: TypeAlias = Literal["all", "qkv", "none"]
"""Which projections are stored as one matrix."""


def gated_delta_net(d: Dim, h_lk: Dim, d_lk: Dim, h_lv: Dim, d_lv: Dim, d_conv: Dim, *, fused: Fused = "all") -> Component:
    """The gated delta net: keys and values of their own head counts, a decay and a step size for each value head.

    x: (n, d) -> Q and K: (n, h_lk d_lk), V and Z: (n, h_lv d_lv), beta and alpha: (n, h_lv)
      -> conv of Q, K and V -> state: (h_lv, d_lk, d_lv) -> norm, gated by Z -> y: (n, d)

    Counts   with `fused` projections, all or those of Q, K and V, fewer matrices of the same elements.
    Source   Yang et al. 2024, arXiv:2412.06464, section 3; as built in Qwen3-Next.
    """
    keys, values = h_lk * d_lk, h_lv * d_lv
    widths = {
        "all": (("W_QKVZ", 2 * keys + 2 * values), ("W_BA", 2 * h_lv)),
        "qkv": (("W_QKV", 2 * keys + values), ("W_Z", values), ("W_B", h_lv), ("W_A", h_lv)),
        "none": (("W_Q", keys), ("W_K", keys), ("W_V", values), ("W_Z", values), ("W_B", h_lv), ("W_A", h_lv)),
    }
    return Component(
        "gated delta net",
        "P_delta",
        (
            *(matrix(name, d, width) for name, width in widths[fused]),
            *depthwise(2 * keys + values, d_conv),
            vector("b_dt", h_lv),
            vector("A", h_lv),
            vector("γ", d_lv),
            matrix("W_out", values, d),
        ),
    )


def delta_attention(d: Dim, h_lk: Dim, d_lk: Dim, d_conv: Dim, *, low_rank: bool = True) -> Component:
    """Kimi delta attention: a decay for every channel of the key, and an output gate as wide.

    x: (n, d) -> Q, K and V: (n, h_lk d_lk) -> conv; decay and gate: (n, h_lk d_lk), by way of (n, d_lk); beta: (n, h_lk)
      -> state: (h_lk, d_lk, d_lk) -> norm, gated -> y: (n, d)

    Counts   two thin matrices each for decay and gate; without `low_rank`, a whole one.
    Source   Kimi Linear 2025, arXiv:2510.26692, section 3.
    """
    width = h_lk * d_lk
    return Component(
        "delta attention",
        "P_delta",
        (
            *(matrix(name, d, width) for name in ("W_Q", "W_K", "W_V")),
            *depthwise(3 * width, d_conv),
            *_wide_gate("W_F", d, d_lk, width, low_rank),
            vector("b_dt", width),
            vector("A", h_lk),
            matrix("W_beta", d, h_lk),
            *_wide_gate("W_G", d, d_lk, width, low_rank),
            vector("γ", d_lk),
            matrix("W_O", width, d),
        ),
    )


def _wide_gate(name: str, d: Dim, d_lk: Dim, width: Dim, low_rank: bool) -> tuple[Tensor, ...]:
    if low_rank:
        return matrix(f"{name}_down", d, d_lk), matrix(f"{name}_up", d_lk, width)
    return (matrix(name, d, width),)
