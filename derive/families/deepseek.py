"""DeepSeekMoE, the first DeepSeek with experts (remote code): multi-head attention, dense first layers, routed and shared experts."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, shared_of_one_width
from derive.families._layer_kinds import dense_first, layer_split
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, shared_and_routed_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; of the layers after the dense ones, those that `moe_layer_freq` divides have experts."""
    if not config.has("n_routed_experts"):
        config.read.update(("first_k_dense_replace", "moe_layer_freq"))  # which then decide nothing
        return dense_sizes(config, all_heads=True)
    L = config.size("L")
    return {
        "L": L, **layer_split(config, L, _sparse_layers(config, L)), **attention_sizes(config, all_heads=True),
        **shared_and_routed_sizes(config), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """DeepSeekMoE: the router chooses k of E gated experts beside E_s shared ones; without experts, LLaMA.

    Source   Dai et al. 2024, arXiv:2401.06066, section 3.
    """
    bias = attention_bias(config)
    if "E" not in s:
        return decoder_of("deepseek", s, Facts(bias=bias))
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_of_one_width(s), router(s.d, s.E))
    return decoder_of("deepseek", s, Facts(bias=bias, experts=experts))


def _sparse_layers(config: Config, L: int) -> int:
    first, step = L - dense_first(config, L), config.number("moe_layer_freq", default=1)
    return (L - 1) // step - (first - 1) // step if L else 0


__all__ = ["model", "notes", "sizes"]
