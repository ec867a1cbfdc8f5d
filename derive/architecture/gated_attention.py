"""Attention whose output is scaled, element by element, by a gate from the query projection."""

from __future__ import annotations

from derive.architecture.attention import NO_BIAS, AttentionBias, QueryKeyNorm
from derive.architecture.component import Component
from derive.architecture.tensor import matrix, vector
from derive.formula.tree import Dim


def gated_query_attention(d: Dim, d_q: Dim, d_kv: Dim, *, bias: AttentionBias = NO_BIAS, norm: QueryKeyNorm | None = None) -> Component:
    """Grouped-query attention with an output gate: the query projection is twice as wide and gives both.

    x: (n, d) -> Q and gate: (n, d_q), K and V: (n, d_kv) -> A: (h, n, n) -> (n, d_q) * sigmoid(gate) -> y: (n, d)

    Source   Qiu et al. 2025, arXiv:2505.06708, section 2.2; as built in Qwen3-Next.
    """
    return Component(
        "gated attention",
        "P_attn",
        (
            matrix("W_Q", d, 2 * d_q),
            matrix("W_K", d, d_kv),
            matrix("W_V", d, d_kv),
            matrix("W_O", d_q, d),
            *bias.tensors(d, 2 * d_q, d_kv),
            *((vector("γ_Q", norm.q), vector("γ_K", norm.k)) if norm else ()),
        ),
    )


def attention_gate(d: Dim, h: Dim) -> Component:
    """A gate that scales the output of each attention head: one number a head and token.

    x: (n, d) -> (n, h)

    Source   Qiu et al. 2025, arXiv:2505.06708, section 2.2 (headwise).
    """
    return Component("attention gate", "P_attn_gate", (matrix("W_G", d, h),))
