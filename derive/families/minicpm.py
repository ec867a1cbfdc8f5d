"""MiniCPM: LLaMA blocks with scaled residuals; the head is tied."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied unless `tie_word_embeddings` says otherwise."""
    return dense_sizes(config, tied=True)


def model(s: Sizes, config: Config) -> Model:
    """MiniCPM: grouped-query attention and a gated feed-forward network; its scalings have no parameters.

    Source   Hu et al. 2024, arXiv:2404.06395, section 4 and appendix A.
    """
    return decoder_of("minicpm", s, Facts(bias=attention_bias(config)))


__all__ = ["model", "notes", "sizes"]
