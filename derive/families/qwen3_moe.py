"""Qwen3-MoE: explicit head size, norms on queries and keys, experts in the layers that a step chooses."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, QueryKeyNorm, grouped_query_attention
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Layers, Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `decoder_sparse_step`-th layer has experts, but for those in `mlp_only_layers`."""
    L = config.size("L")
    config.refuse("use_qk_norm", True, "the family has norms on queries and keys")
    sparse = _sparse_layers(config, L)
    dense = {} if sparse == L else {"L_D": L - sparse, "L_M": sparse, "m": config.size("m")}
    slides = config.flag("use_sliding_window", False) and config.has("sliding_window")
    return {
        "L": L, **dense, **span_sizes(config, L, lambda _: slides), **attention_sizes(config),
        **expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size"),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen3-MoE: grouped-query attention with query and key norms; the router chooses k of E gated experts.

    Source   Qwen3 2025, arXiv:2505.09388, section 2.
    """
    bias = ALL_BIAS if config.flag("attention_bias", False) else NO_BIAS
    common = (grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias, norm=QueryKeyNorm(s.d_h, s.d_h)),)
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    norms = rms_norm(s.d, copies=2)
    blocks: tuple[Layers, ...] = (layers(s.L, *common, *experts, norms),)
    if "L_D" in s:
        blocks = (layers(s.L, *common, norms), layers(s.L_D, gated(s.d, s.m)), layers(s.L_M, *experts))
    return decoder("qwen3_moe", *blocks, *ends(s), *context_layers(s))


def _sparse_layers(config: Config, L: int) -> int:
    step = config.size("L", "decoder_sparse_step", default=1)
    config.has("mlp_only_layers")
    dense = config.values.get("mlp_only_layers") or []
    if not isinstance(dense, list) or not all(isinstance(layer, int) and not isinstance(layer, bool) for layer in dense):
        config.fail("mlp_only_layers must be a list of layer numbers")
    return sum((layer + 1) % step == 0 and layer not in dense for layer in range(L))


__all__ = ["model", "notes", "sizes"]
