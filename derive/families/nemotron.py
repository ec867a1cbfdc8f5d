"""Nemotron: LayerNorm, a two-matrix feed-forward with squared ReLU, head of its own."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """Nemotron-4: grouped-query attention, two-matrix feed-forward, LayerNorm.

    Source   Parmar et al. 2024, arXiv:2402.16819, section 2.
    """
    facts = Facts(bias=attention_bias(config), gated=False, mlp_bias=config.flag("mlp_bias", False), norm=layer_norm)
    return decoder_of("nemotron", s, facts)


__all__ = ["model", "notes", "sizes"]
