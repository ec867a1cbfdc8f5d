"""GLM-4 (9B): explicit head size, biases on queries, keys and values."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, but_output, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config, explicit="GLM-4")


def model(s: Sizes, config: Config) -> Model:
    """GLM-4: grouped-query attention and a gated feed-forward network, gate and up-projection stored as one matrix.

    Source   GLM 2024, arXiv:2406.12793, section 2.
    """
    return decoder_of("glm", s, Facts(bias=but_output(config.flag("attention_bias", True))))


__all__ = ["model", "notes", "sizes"]
