"""Gemma 2: explicit head size, a norm before and after each half of a block, every other layer sliding, tied head."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; layers 0, 2, … look through the window, and the head is tied unless said otherwise."""
    L = config.size("L")
    if not config.has("head_dim"):
        config.fail("missing d_h (head size); tried head_dim, which Gemma 2 does not derive from the hidden size")
    return {
        "L": L, **span_sizes(config, L, lambda layer: layer % 2 == 0), **attention_sizes(config), "m": config.size("m"),
        "V": config.size("V"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Gemma 2: grouped-query attention and a gated feed-forward network, four norms a layer.

    Source   Gemma 2 2024, arXiv:2408.00118, section 2.
    """
    block = (
        grouped_query_attention(s.d, s.d_q, s.d_kv, bias=ALL_BIAS if config.flag("attention_bias", False) else NO_BIAS),
        gated(s.d, s.m),
        rms_norm(s.d, copies=4),
    )
    return decoder("gemma2", layers(s.L, *block), *ends(s), *context_layers(s))


__all__ = ["model", "notes", "sizes"]
