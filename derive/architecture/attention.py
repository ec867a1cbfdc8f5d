"""Attention with query, key, value and output projections: multi-head, grouped-query, multi-query."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import Tensor, matrix, vector
from derive.formula.tree import Dim
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class AttentionBias:
    """Which of the four projections has a bias."""

    q: bool = False
    k: bool = False
    v: bool = False
    o: bool = False

    def tensors(self, d: Dim, d_q: Dim, d_kv: Dim) -> tuple[Tensor, ...]:
        """The bias vectors: with all four, d_q + 2 d_kv + d elements."""
        every = (
            (self.q, "b_Q", d_q),
            (self.k, "b_K", d_kv),
            (self.v, "b_V", d_kv),
            (self.o, "b_O", d),
        )
        return tuple(vector(name, length) for wanted, name, length in every if wanted)


NO_BIAS = AttentionBias()
QKV_BIAS = AttentionBias(q=True, k=True, v=True)
ALL_BIAS = AttentionBias(q=True, k=True, v=True, o=True)


@dataclass(frozen=True, slots=True)
class QueryKeyNorm:
    """Norms on the queries and the keys: the widths of their scales (a head's, or all heads'), and whether LayerNorm shifts as well."""

    q: Dim
    k: Dim
    shift: bool = False

    def tensors(self) -> tuple[Tensor, ...]:
        """The two scales, and the two shifts where there are any."""
        shifts = (vector("b_Q norm", self.q), vector("b_K norm", self.k)) if self.shift else ()
        return vector("γ_Q", self.q), vector("γ_K", self.k), *shifts


def grouped_query_attention(
    d: Dim,
    d_q: Dim,
    d_kv: Dim,
    *,
    bias: AttentionBias = NO_BIAS,
    norm: QueryKeyNorm | None = None,
    sinks: Dim | None = None,
) -> Component:
    """Grouped-query attention; d_kv = d_q is multi-head, d_kv = d_h multi-query.

    x: (n, d) -> Q: (n, d_q), K and V: (n, d_kv) -> A: (h, n, n) -> y: (n, d)

    Assumes  K and V have the same width.
    Counts   with `sinks`, one learned score a head that takes part in the softmax (gpt-oss).
    Source   Ainslie et al. 2023, arXiv:2305.13245, section 2.
    """
    return Component(
        "attention",
        "P_attn",
        (
            matrix("W_Q", d, d_q),
            matrix("W_K", d, d_kv),
            matrix("W_V", d, d_kv),
            matrix("W_O", d_q, d),
            *bias.tensors(d, d_q, d_kv),
            *(norm.tensors() if norm else ()),
            *(() if sinks is None else (vector("sinks", sinks),)),
        ),
    )


def multi_head_attention(d: Dim, *, bias: AttentionBias = NO_BIAS) -> Component:
    """Multi-head attention whose heads together are as wide as the residual stream: 4 d^2 without biases.

    x: (n, d) -> Q, K and V: (n, d) -> A: (h, n, n) -> y: (n, d)

    Source   Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2.
    """
    return grouped_query_attention(d, d, d, bias=bias)


def multi_query_attention(d: Dim, d_q: Dim, d_h: Dim, *, bias: AttentionBias = NO_BIAS) -> Component:
    """Multi-query attention: all query heads share one key head and one value head.

    x: (n, d) -> Q: (n, d_q), K and V: (n, d_h) -> A: (h, n, n) -> y: (n, d)

    Source   Shazeer 2019, arXiv:1911.02150, section 3.
    """
    return grouped_query_attention(d, d_q, d_h, bias=bias)
