"""Arcee (AFM): LLaMA blocks whose feed-forward has two matrices and a squared ReLU."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Arcee: grouped-query attention, two-matrix feed-forward, RMSNorm.

    Source   Arcee 2025, the AFM-4.5B announcement; squared ReLU: So et al. 2021, arXiv:2109.08668, section 4.
    """
    facts = Facts(bias=attention_bias(config), gated=False, mlp_bias=config.flag("mlp_bias", False))
    return decoder_of("arcee", s, facts)


__all__ = ["model", "notes", "sizes"]
