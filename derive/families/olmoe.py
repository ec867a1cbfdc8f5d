"""OLMoE: experts in every layer, norms on queries and keys over all heads."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, whole_width
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    return {
        "L": config.size("L"), **attention_sizes(config, all_heads=True),
        **expert_sizes(config, "num_experts", "num_local_experts", width="intermediate_size"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """OLMoE: the router chooses k of E gated experts.

    Source   Muennighoff et al. 2024, arXiv:2409.02060, section 2.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    facts = Facts(bias=attention_bias(config), qk_norm=whole_width(s), experts=experts)
    return decoder_of("olmoe", s, facts)


__all__ = ["model", "notes", "sizes"]
