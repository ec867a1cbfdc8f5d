"""Arcee Trinity: gated attention with norms on queries and keys, four norms a block, dense first layers, then experts."""

from __future__ import annotations

from dataclasses import replace

from derive.architecture.attention import grouped_query_attention
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.families import _notes
from derive.families._context import Sliding, span_sizes
from derive.families._decoder import Facts, attention_bias, decoder_of, per_head, shared_of_one_width
from derive.families._layer_kinds import dense_first, layer_split
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `global_attn_every_n_layers`-th layer looks at the whole context."""
    L = config.size("L")
    E_s = config.size("E_s", "num_shared_experts", least=0)
    return {
        "L": L, **layer_split(config, L, dense_first(config, L, "num_dense_layers")), **span_sizes(config, L, _window(config)),
        **attention_sizes(config, all_heads=True, explicit="Trinity"),
        **expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size"),
        **({"E_s": E_s} if E_s else {}), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Trinity: a gate as wide as the queries scales what the heads give; the router chooses k of E gated experts.

    Counts   the routing correction, E elements a layer, as the bias of the router: the implementation stores it as a parameter.
    Source   Arcee 2025, the Trinity model cards; gated attention: Qiu et al. 2025, arXiv:2505.06708, section 2.
    """
    attention = grouped_query_attention(s.d, s.d_q, s.d_kv, bias=attention_bias(config), norm=per_head(s))
    gate = matrix("W_G", s.d, s.d_q)
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_of_one_width(s), router(s.d, s.E, bias=True))
    facts = Facts(attention=(replace(attention, tensors=(*attention.tensors, gate)),), experts=experts, norms=4)
    return decoder_of("afmoe", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and what it does not."""
    return (*_notes.notes(config), _notes.COUNTED_CORRECTION)


def _window(config: Config) -> Sliding:
    step = config.number("global_attn_every_n_layers", default=4)
    return lambda layer: (layer + 1) % step != 0
