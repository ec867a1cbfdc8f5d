"""GLM-4-0414: GLM-4 blocks with norms before and after each half."""

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

    Source   Z.ai 2025, the GLM-4-32B-0414 model card; blocks: GLM 2024, arXiv:2406.12793, section 2.
    """
    return decoder_of("glm4", s, Facts(bias=but_output(config.flag("attention_bias", True)), norms=4))


__all__ = ["model", "notes", "sizes"]
