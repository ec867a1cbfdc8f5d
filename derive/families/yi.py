"""Yi under the model type of its first release; later ones call themselves `llama`."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """Yi: LLaMA blocks with grouped-query attention, no biases.

    Source   01.AI 2024, arXiv:2403.04652, section 2.3.
    """
    return decoder_of("yi", s, Facts())


__all__ = ["model", "notes", "sizes"]
