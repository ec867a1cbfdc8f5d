"""Granite-MoE: Granite's attention, experts in every layer."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    return {
        "L": config.size("L"), **attention_sizes(config, all_heads=True),
        **expert_sizes(config, "num_local_experts", width="intermediate_size"), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Granite-MoE: the router chooses k of E gated experts, gate and up-projection stored as one matrix.

    Source   Granite Team 2024, Granite 3.0 Language Models, section 2; Shen et al. 2024, arXiv:2408.13359, section 5.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    return decoder_of("granitemoe", s, Facts(bias=attention_bias(config), experts=experts))


__all__ = ["model", "notes", "sizes"]
