"""A decoder from a family's facts: what tells it from LLaMA, whose own facts are the defaults."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, QKV_BIAS, AttentionBias, QueryKeyNorm, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.experts import shared_experts
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.model import Layers, Model, Part, decoder, layers
from derive.architecture.norms import Norm, rms_norm
from derive.config import Config
from derive.families._context import Sliding, context_layers, never, span_sizes
from derive.families._sizes import Sizes, attention_sizes, vocabulary_sizes
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """What the decoder of a family has.

    `attention`, `feed_forward` and `context` replace what the other facts would build. `experts` stand in the layers that have
    experts, `further` layers after the blocks, `inputs` between the embedding and the layers. A block has `norms` norms of the
    kind `norm` (None: norms without parameters). With `multi_head` every query head has its own key/value head, and together
    they are d wide.
    """

    multi_head: bool = False
    bias: AttentionBias = NO_BIAS
    qk_norm: QueryKeyNorm | None = None
    sinks: bool = False
    attention: tuple[Component, ...] = ()
    gated: bool = True
    mlp_bias: bool = False
    feed_forward: Component | None = None
    experts: tuple[Component, ...] = ()
    norm: Norm | None = rms_norm
    norms: int = 2
    final_norm: bool = True
    inputs: tuple[Component, ...] = ()
    head_bias: bool = False
    further: tuple[Layers, ...] = ()
    context: tuple[Layers, ...] = ()


def decoder_of(name: str, s: Sizes, facts: Facts) -> Model:
    """The model: its layers, dense and with experts, what stands around them, and the attention between tokens."""
    s = s.multi_head() if facts.multi_head else s
    return decoder(name, *_blocks(s, facts), *facts.further, *_ends(s, facts), *(facts.context or context_layers(s)))


def dense_sizes(
    config: Config, *, tied: bool = False, all_heads: bool = False, explicit: str = "", sliding: Sliding = never
) -> dict[str, int]:
    """The sizes of a family whose layers are all dense; `sliding` is its rule for the layers that look through a window."""
    L = config.size("L")
    return {
        "L": L, **span_sizes(config, L, sliding), **attention_sizes(config, all_heads=all_heads, explicit=explicit),
        "m": config.size("m"), **vocabulary_sizes(config, tied=tied),
    }  # fmt: skip


def everywhere(wanted: bool) -> AttentionBias:
    """A bias on all four projections, or on none."""
    return ALL_BIAS if wanted else NO_BIAS


def attention_bias(config: Config) -> AttentionBias:
    """A bias on all four projections where `attention_bias` is true, else on none."""
    return everywhere(config.flag("attention_bias", False))


def but_output(wanted: bool) -> AttentionBias:
    """A bias on queries, keys and values, or on none."""
    return QKV_BIAS if wanted else NO_BIAS


def per_head(s: Sizes, *, shift: bool = False) -> QueryKeyNorm:
    """Norms on queries and keys as wide as one head; all heads share the scale."""
    return QueryKeyNorm(s.d_h, s.d_h, shift)


def whole_width(s: Sizes) -> QueryKeyNorm:
    """Norms on queries and keys with a scale for every channel of every head."""
    return QueryKeyNorm(s.d_q, s.d_kv)


def shared_of_one_width(s: Sizes) -> tuple[Component, ...]:
    """The E_s shared experts, each as wide as a routed one; none where there are none."""
    return (shared_experts(gated(s.d, s.m_e), s.E_s),) if "E_s" in s else ()


def shared_as_one(s: Sizes, *, bias: bool) -> tuple[Component, ...]:
    """The same, stored as one network E_s times as wide; that tells only where it has biases."""
    if not bias or "E_s" not in s:
        return shared_of_one_width(s)
    return (shared_experts(gated(s.d, s.E_s * s.m_e, bias=True), 1),)


def _blocks(s: Sizes, facts: Facts) -> tuple[Layers, ...]:
    attention = facts.attention or (_attention(s, facts),)
    norms = (facts.norm(s.d, copies=facts.norms),) if facts.norm else ()
    if not facts.experts:
        return (layers(s.L, *attention, _feed_forward(s, facts), *norms),)
    if "L_D" not in s:
        return (layers(s.L, *attention, *facts.experts, *norms),)
    return layers(s.L, *attention, *norms), layers(s.L_D, _feed_forward(s, facts)), layers(s.L_M, *facts.experts)


def _attention(s: Sizes, facts: Facts) -> Component:
    sinks = s.h if facts.sinks else None
    return grouped_query_attention(s.d, s.d_q, s.d_kv, bias=facts.bias, norm=facts.qk_norm, sinks=sinks)


def _feed_forward(s: Sizes, facts: Facts) -> Component:
    if facts.feed_forward:
        return facts.feed_forward
    return (gated if facts.gated else two_matrix)(s.d, s.m, bias=facts.mlp_bias)


def _ends(s: Sizes, facts: Facts) -> tuple[Part, ...]:
    final = (facts.norm(s.d, name="final norm", symbol="P_final"),) if facts.norm and facts.final_norm else ()
    width = s.d_emb if "d_emb" in s else s.d
    return (*final, token_embedding(s.V, width), *facts.inputs, head(s.V, width, s.c, bias=facts.head_bias))
