"""The matrix memory of xLSTM: linear attention with exponential gates and a normaliser."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import matrix, vector
from derive.formula.tree import Dim


def matrix_memory(d: Dim, h_lk: Dim, d_lk: Dim, d_lv: Dim, *, bias: bool = False) -> Component:
    """The mLSTM layer: every head keeps a matrix that an input gate writes and a forget gate fades.

    x: (n, d) -> Q and K: (n, h_lk d_lk), V and gate: (n, h_lk d_lv), input and forget gate: (n, h_lk)
      -> state: (h_lk, d_lk, d_lv) -> norm a head, gated -> y: (n, d)

    Counts   the input and the forget gate always have biases; `bias` puts them on everything else, the norm among it.
    Source   Beck et al. 2024, arXiv:2405.04517, section 2.3; as in xLSTM 7B, arXiv:2503.13427, section 3.
    """
    keys, values = h_lk * d_lk, h_lk * d_lv
    widths = (("Q", keys), ("K", keys), ("V", values), ("gate", values))
    extra = (*(vector(f"b_{name}", width) for name, width in widths), vector("b", values), vector("b_O", d)) if bias else ()
    return Component(
        "matrix memory",
        "P_mlstm",
        (
            *(matrix(f"W_{name}", d, width) for name, width in widths),
            *(matrix(f"W_{name}", d, h_lk) for name in ("input", "forget")),
            *(vector(f"b_{name}", h_lk) for name in ("input", "forget")),
            vector("γ", values),
            matrix("W_O", values, d),
            *extra,
        ),
    )
