"""What hybrid models share: attention in some layers, something else in the others."""

from __future__ import annotations

from collections.abc import Iterator

from derive.architecture.attention import NO_BIAS, AttentionBias, QueryKeyNorm, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.model import Layers, layers
from derive.families._sizes import Sizes


def attention(s: Sizes, *, bias: AttentionBias = NO_BIAS, head_norms: bool = False) -> Component:
    """Grouped-query attention of these sizes; with `head_norms` there are norms on each query and each key."""
    return grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias, norm=QueryKeyNorm(s.d_h, s.d_h) if head_norms else None)


def in_layers(s: Sizes, **kinds: tuple[Component, ...]) -> Iterator[Layers]:
    """The components of each kind of layer that there is, by the symbol of its number."""
    return (layers(s.by_symbol[symbol], *components) for symbol, components in kinds.items() if symbol in s)


def contexts(s: Sizes, state: Component | None = None) -> Iterator[Layers]:
    """What tokens share: softmax attention in the layers that have it, a state in the recurrent and the convolution layers."""
    if "L_F" in s:
        yield layers(s.L_F, softmax_attention(s.d_q, s.d_kv))
    if "L_S" in s:
        yield layers(s.L_S, softmax_attention(s.d_q, s.d_kv, window=s.w))
    if state is not None:
        yield from in_layers(s, L_rec=(state,), L_conv=(state,))
