"""InternLM2: LLaMA blocks with a fused q, k and v projection, and one flag for biases in attention."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes, everywhere
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """InternLM2: grouped-query attention, with biases unless `bias` is false.

    Source   Cai et al. 2024, arXiv:2403.17297, section 2.2; `bias` as in its released code.
    """
    return decoder_of("internlm2", s, Facts(bias=everywhere(config.flag("bias", True))))


__all__ = ["model", "notes", "sizes"]
