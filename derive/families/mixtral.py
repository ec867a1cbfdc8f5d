"""Mixtral: LLaMA blocks whose feed-forward is a mixture of gated experts."""

from __future__ import annotations

from derive.architecture.attention import grouped_query_attention
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    L = config.size("L")
    return {
        "L": L, **span_sizes(config, L, lambda _: config.has("sliding_window")), **attention_sizes(config),
        **expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size"),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Mixtral: in every layer a router chooses k of E gated experts.

    Source   Jiang et al. 2024, arXiv:2401.04088, section 2.
    """
    return decoder(
        "mixtral",
        layers(
            s.L,
            grouped_query_attention(s.d, s.d_q, s.d_kv),
            routed_experts(gated(s.d, s.m_e), s.E, s.k),
            router(s.d, s.E),
            rms_norm(s.d, copies=2),
        ),
        *ends(s),
        *context_layers(s),
    )


__all__ = ["model", "notes", "sizes"]
