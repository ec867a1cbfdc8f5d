"""DBRX: grouped-query attention and fine-grained experts in every layer, LayerNorm without shift."""

from __future__ import annotations

from collections.abc import Mapping

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm_without_shift
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes, derived_attention_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; key/value heads and experts have parts of the configuration of their own."""
    d, h = config.size("d", "d_model"), config.size("h", *named("h", "n_heads"))
    attention, experts = _part(config, "attn_config"), _part(config, "ffn_config")
    E, k = experts.size("E", "moe_num_experts"), experts.size("k", "moe_top_k")
    if k > E:
        config.fail(f"{k} experts chosen for a token, but there are only {E}")
    heads = derived_attention_sizes(config, attention.size("h_kv", "kv_n_heads"), d, h, uneven=True)
    return {
        "L": config.size("L", *named("L", "n_layers")), **heads, "E": E, "k": k, "m_e": experts.size("m_e", "ffn_hidden_size"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """DBRX: the router chooses k of E gated experts.

    Source   Databricks 2024, the DBRX announcement.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    return decoder_of("dbrx", s, Facts(norm=layer_norm_without_shift, experts=experts))


def _part(config: Config, key: str) -> Config:
    part = config.values.get(key)
    if not isinstance(part, Mapping):
        config.fail(f"missing {key}, an object with the sizes of that part")
    return Config(part, f"{config.source} ({key})")


__all__ = ["model", "notes", "sizes"]
