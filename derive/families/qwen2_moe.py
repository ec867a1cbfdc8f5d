"""Qwen1.5-MoE and Qwen2-MoE: Qwen2 attention, routed experts, and one gated shared expert of its own width."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import Sliding, never, span_sizes
from derive.families._decoder import Facts, but_output, decoder_of
from derive.families._layer_kinds import EXPERTS, layer_split, sparse_layers
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `decoder_sparse_step`-th layer has experts, but for those in `mlp_only_layers`."""
    L = config.size("L")
    return {
        "L": L, **layer_split(config, L, sparse_layers(config, L).count(EXPERTS)), **span_sizes(config, L, _window(config)),
        **attention_sizes(config),
        **expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size"), "m_s": config.size("m_s"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen2-MoE: the router chooses k of E gated experts; the shared expert is scaled by a gate.

    Source   Qwen2 2024, arXiv:2407.10671, section 2.2.2.
    """
    experts = (
        routed_experts(gated(s.d, s.m_e), s.E, s.k),
        router(s.d, s.E),
        shared_experts(gated(s.d, s.m_s), 1),
        shared_expert_gate(s.d),
    )
    return decoder_of("qwen2_moe", s, Facts(bias=but_output(config.flag("qkv_bias", True)), experts=experts))


def _window(config: Config) -> Sliding:
    """With `use_sliding_window`, every other of the first `max_window_layers` layers slides."""
    if not (config.flag("use_sliding_window", False) and config.has("sliding_window")):
        return never
    end = config.number("max_window_layers", default=28, least=0)
    return lambda layer: layer % 2 == 0 and layer < end


__all__ = ["model", "notes", "sizes"]
