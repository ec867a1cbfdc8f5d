"""Orion: LLaMA blocks with LayerNorm in the place of RMSNorm."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """Orion: grouped-query attention and a gated feed-forward network between LayerNorms.

    Source   Chen et al. 2024, arXiv:2401.12246, section 3.
    """
    return decoder_of("orion", s, Facts(bias=attention_bias(config), norm=layer_norm))


__all__ = ["model", "notes", "sizes"]
