"""EXAONE 3: LLaMA blocks under names of their own."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return {
        "L": config.size("L", *named("L", "num_layers")), **attention_sizes(config), "m": config.size("m"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """EXAONE 3: grouped-query attention and a gated feed-forward network.

    Source   LG AI Research 2024, arXiv:2408.03541, section 2.
    """
    return decoder_of("exaone", s, Facts(bias=attention_bias(config), mlp_bias=config.flag("mlp_bias", False)))


__all__ = ["model", "notes", "sizes"]
