"""gpt-oss: experts in every layer, biases everywhere, attention sinks, every other layer sliding."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import span_sizes
from derive.families._decoder import Facts, decoder_of, everywhere
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert, and layers 0, 2, … look through the window."""
    L = config.size("L")
    return {
        "L": L, **span_sizes(config, L, lambda layer: layer % 2 == 0), **attention_sizes(config, explicit="gpt-oss"),
        **expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """gpt-oss: grouped-query attention with a learned sink for each head; the router chooses k of E gated experts.

    Source   OpenAI 2025, arXiv:2508.10925, section 2.
    """
    experts = (routed_experts(gated(s.d, s.m_e, bias=True), s.E, s.k), router(s.d, s.E, bias=True))
    return decoder_of("gpt_oss", s, Facts(bias=everywhere(config.flag("attention_bias", True)), sinks=True, experts=experts))


__all__ = ["model", "notes", "sizes"]
