"""MiniMax-M2: experts in every layer, norms on queries and keys over all heads, a routing correction."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._decoder import Facts, decoder_of, whole_width
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    config.refuse("use_qk_norm", True, "the family has norms on queries and keys")
    config.refuse("qk_norm_type", "per_layer", "the norms on queries and keys span all heads")
    config.refuse("shared_intermediate_size", 0, "the family has no shared expert")
    return {
        "L": config.size("L"), **attention_sizes(config, explicit="MiniMax-M2"),
        **expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """MiniMax-M2: grouped-query attention; the router chooses k of E gated experts.

    Source   MiniMax 2025, the MiniMax-M2 model card.
    """
    correction = config.flag("use_routing_bias", True)
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E, correction=correction))
    return decoder_of("minimax_m2", s, Facts(qk_norm=whole_width(s), experts=experts))


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    modules = _notes.uncounted_prediction(config, "num_mtp_modules") if config.flag("use_mtp", True) else ()
    return (*_notes.notes(config), *modules)
