"""Granite-MoE with a shared expert beside the routed ones."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families import granitemoe
from derive.families._decoder import Facts, attention_bias, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a `shared_intermediate_size` of 0 means that there is no shared expert."""
    m_s = config.size("m_s", "shared_intermediate_size", least=0)
    return {**granitemoe.sizes(config), **({"m_s": m_s} if m_s else {})}


def model(s: Sizes, config: Config) -> Model:
    """Granite-MoE-shared: the router chooses k of E gated experts; every token also passes through the shared one.

    Source   Granite Team 2024, Granite 3.0 Language Models, section 2.
    """
    shared = (shared_experts(gated(s.d, s.m_s), 1),) if "m_s" in s else ()
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared, router(s.d, s.E))
    return decoder_of("granitemoeshared", s, Facts(bias=attention_bias(config), experts=experts))


__all__ = ["model", "notes", "sizes"]
