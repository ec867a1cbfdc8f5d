"""Qwen3.5-MoE's language model: gated delta nets, gated attention in every few layers, experts in all."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._gated_delta import delta_model, mixer_sizes, shared_expert_sizes
from derive.families._layer_kinds import layer_count
from derive.families._sizes import Sizes, stored_copies
from derive.families.qwen3_5_text import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every layer has experts, and one that all tokens share."""
    L = layer_count(config)
    return {
        "L": L, **mixer_sizes(config, L, "Qwen3.5"), **shared_expert_sizes(config), "V": config.size("V"),
        "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Qwen3.5-MoE: pre-norm blocks of a gated delta net or of gated attention, each before experts.

    Source   Qwen3.5 2026, as built in transformers; gated delta net: arXiv:2412.06464; gated attention: arXiv:2505.06708.
    """
    return delta_model("qwen3_5_moe_text", s, config, fused="qkv")


__all__ = ["model", "notes", "sizes"]
