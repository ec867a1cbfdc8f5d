"""Aria, its text model: LLaMA's attention, experts in every layer, some shared."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, shared_as_one
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    E_s = config.size("E_s", "moe_num_shared_experts", least=0)
    return {
        "L": config.size("L"), **attention_sizes(config, all_heads=True),
        **expert_sizes(config, "moe_num_experts", width="intermediate_size", chosen="moe_topk"),
        **({"E_s": E_s} if E_s else {}), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Aria: the router chooses k of E gated experts; `mlp_bias` is for the shared ones.

    Source   Li et al. 2024, arXiv:2410.05993, section 2.
    """
    shared = shared_as_one(s, bias=config.flag("mlp_bias", False))
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared, router(s.d, s.E))
    return decoder_of("aria_text", s, Facts(bias=attention_bias(config), experts=experts))


__all__ = ["model", "notes", "sizes"]
