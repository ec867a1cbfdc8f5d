"""Jais 2: LayerNorm, a two-matrix feed-forward with squared ReLU, biases everywhere but in the head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes, everywhere
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Jais 2: multi-head attention and a two-matrix feed-forward network.

    Source   MBZUAI and Inception 2025, the Jais 2 model card.
    """
    bias = everywhere(config.flag("attention_bias", True))
    return decoder_of("jais2", s, Facts(bias=bias, gated=False, mlp_bias=config.flag("mlp_bias", True), norm=layer_norm))


__all__ = ["model", "notes", "sizes"]
