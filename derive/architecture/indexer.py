"""The indexer of sparse attention: which tokens of the context a query attends to."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import matrix, vector
from derive.formula.tree import Dim


def indexer(d: Dim, r_q: Dim, h_I: Dim, d_I: Dim) -> Component:
    """The lightning indexer of DeepSeek sparse attention: h_I small query heads, one key for all of them, a weight a head.

    c_Q: (n, r_q) -> Q: (n, h_I d_I); x: (n, d) -> K: (n, d_I), weights: (n, h_I) -> scores: (n, n)

    Counts   the scale and the shift of the LayerNorm on the key.
    Source   DeepSeek-V3.2 2025, arXiv:2512.02556, section 2.1.
    """
    return Component(
        "indexer",
        "P_index",
        (matrix("W_IQ", r_q, h_I * d_I), matrix("W_IK", d, d_I), vector("γ_IK", d_I), vector("b_IK", d_I), matrix("W_I", d, h_I)),
    )
