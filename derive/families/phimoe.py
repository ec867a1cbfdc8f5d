"""Phi-3.5-MoE: LayerNorm, grouped-query attention, experts in every layer."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._context import span_sizes, where_set
from derive.families._decoder import Facts, attention_bias, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert.

    The router (SparseMixer) chooses two experts whatever `num_experts_per_tok` says.
    """
    L = config.size("L")
    routed = expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size")
    return {
        "L": L, **span_sizes(config, L, where_set(config)), **attention_sizes(config),
        **routed, "k": min(2, routed["E"]),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Phi-3.5-MoE: the router chooses k of E gated experts.

    Source   Abdin et al. 2024, arXiv:2404.14219, section 2.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    bias, head_bias = attention_bias(config), config.flag("lm_head_bias", False)
    facts = Facts(bias=bias, norm=layer_norm, experts=experts, head_bias=head_bias)
    return decoder_of("phimoe", s, facts)


__all__ = ["model", "notes", "sizes"]
