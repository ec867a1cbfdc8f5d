"""Multi-head latent attention: keys and values are rebuilt from one low-rank vector per token."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import Tensor, matrix, vector
from derive.formula.tree import Dim


def latent_attention(d: Dim, h: Dim, r_q: Dim | None, r_kv: Dim, d_n: Dim, d_r: Dim, d_v: Dim, *, bias: bool = False) -> Component:
    """Multi-head latent attention (MLA); without `r_q` the queries are not compressed.

    x: (n, d) -> c_Q: (n, r_q) -> Q: (n, h (d_n + d_r))
    x: (n, d) -> c_KV: (n, r_kv), k_R: (n, d_r) -> K: (n, h d_n), V: (n, h d_v) -> A: (h, n, n) -> y: (n, d)

    Counts   the RMSNorm scales on the two compressed vectors; `bias` puts one on the down-projections and the output.
    Source   DeepSeek-V2 2024, arXiv:2405.04434, section 2.1 and appendix C.
    """
    queries: tuple[Tensor, ...] = (matrix("W_Q", d, h * (d_n + d_r)),)
    if r_q is not None:
        queries = (
            matrix("W_DQ", d, r_q),
            *((vector("b_DQ", r_q),) if bias else ()),
            vector("γ_Q", r_q),
            matrix("W_UQ", r_q, h * (d_n + d_r)),
        )
    return Component(
        "latent attention",
        "P_mla",
        (
            *queries,
            matrix("W_DKV", d, r_kv + d_r),
            *((vector("b_DKV", r_kv + d_r),) if bias else ()),
            vector("γ_KV", r_kv),
            matrix("W_UKV", r_kv, h * (d_n + d_v)),
            matrix("W_O", h * d_v, d),
            *((vector("b_O", d),) if bias else ()),
        ),
    )
