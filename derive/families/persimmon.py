"""Persimmon: GPT-NeoX blocks one after the other, with LayerNorm on queries and keys."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes, multi_head_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return {"L": config.size("L"), **multi_head_sizes(config), "m": config.size("m"), **vocabulary_sizes(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """Persimmon: multi-head attention, two-matrix feed-forward with squared ReLU, biases everywhere but in the head.

    Source   Adept 2023, the Persimmon-8B announcement.
    """
    norm = per_head(s, shift=True) if config.flag("qk_layernorm", True) else None
    facts = Facts(multi_head=True, bias=ALL_BIAS, qk_norm=norm, gated=False, mlp_bias=True, norm=layer_norm)
    return decoder_of("persimmon", s, facts)


__all__ = ["model", "notes", "sizes"]
