"""Qwen2: LLaMA blocks with a bias on queries, keys and values, and none on the output."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias, grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; with `use_sliding_window` the layers from `max_window_layers` on look through a window."""
    L = config.size("L")
    config.flag("attention_bias", True)  # the implementation has q, k and v biases whatever this says
    slides = config.flag("use_sliding_window", False) and config.has("sliding_window")
    first = config.size("L", "max_window_layers", default=28, least=0) if slides else L
    return {
        "L": L, **span_sizes(config, L, lambda layer: layer >= first), **attention_sizes(config), "m": config.size("m"),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen2: grouped-query attention with q, k and v biases, gated feed-forward.

    Source   Qwen2 2024, arXiv:2407.10671, section 2.2.1.
    """
    block = (
        grouped_query_attention(s.d, s.d_q, s.d_kv, bias=AttentionBias(q=True, k=True, v=True)),
        gated(s.d, s.m),
        rms_norm(s.d, copies=2),
    )
    return decoder("qwen2", layers(s.L, *block), *ends(s), *context_layers(s))


__all__ = ["model", "notes", "sizes"]
