"""Qwen3.5's language model: gated delta nets, gated attention in every few layers, and gated networks."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._gated_delta import delta_model, mixer_sizes
from derive.families._layer_kinds import layer_count
from derive.families._mamba import STATES
from derive.families._sizes import Sizes, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `full_attention_interval`-th layer has attention, where no list says so layer by layer."""
    L = layer_count(config)
    return {
        "L": L, **mixer_sizes(config, L, "Qwen3.5"), "m": config.size("m"), "V": config.size("V"),
        "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen3.5: pre-norm blocks of a gated delta net or of gated attention, each before a gated network.

    Source   Qwen3.5 2026, as built in transformers; gated delta net: arXiv:2412.06464; gated attention: arXiv:2505.06708.
    """
    return delta_model("qwen3_5_text", s, config, fused="qkv")


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and what the count leaves out."""
    return (STATES, "Layers that predict further tokens, where checkpoints store any, are not part of the model.")
