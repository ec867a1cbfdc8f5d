"""Qwen3-MoE: explicit head size, norms on queries and keys, experts in the layers that a step chooses."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import span_sizes
from derive.families._decoder import Facts, attention_bias, decoder_of, per_head
from derive.families._layer_kinds import EXPERTS, layer_split, sparse_layers
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `decoder_sparse_step`-th layer has experts, but for those in `mlp_only_layers`."""
    L = config.size("L")
    config.refuse("use_qk_norm", True, "the family has norms on queries and keys")
    slides = config.flag("use_sliding_window", False) and config.has("sliding_window")
    return {
        "L": L, **layer_split(config, L, sparse_layers(config, L).count(EXPERTS)), **span_sizes(config, L, lambda _: slides),
        **attention_sizes(config), **expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen3-MoE: grouped-query attention with query and key norms; the router chooses k of E gated experts.

    Source   Qwen3 2025, arXiv:2505.09388, section 2.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    facts = Facts(bias=attention_bias(config), qk_norm=per_head(s), experts=experts)
    return decoder_of("qwen3_moe", s, facts)


__all__ = ["model", "notes", "sizes"]
