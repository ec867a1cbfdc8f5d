"""Mistral: LLaMA blocks without biases, whose attention may look back over a window."""

from __future__ import annotations

from derive.architecture.attention import grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families import llama
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number."""
    L = config.size("L")
    return {
        "L": L, **span_sizes(config, L, lambda _: config.has("sliding_window")), **attention_sizes(config), "m": config.size("m"),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Mistral: grouped-query attention through a window, gated feed-forward.

    Source   Jiang et al. 2023, arXiv:2310.06825, section 2.
    """
    block = (grouped_query_attention(s.d, s.d_q, s.d_kv), gated(s.d, s.m), rms_norm(s.d, copies=2))
    return decoder("mistral", layers(s.L, *block), *ends(s), *context_layers(s))


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how a missing window is read."""
    missing = "sliding_window is not given and is read as none; transformers would read it as 4096."
    return (*llama.notes(config), *(() if "sliding_window" in config.values else (missing,)))
