"""LLaMA and its like: grouped-query attention, gated feed-forward, RMSNorm, rotary positions."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    config.refuse("bias", False, "LLaMA says which biases it has by attention_bias and mlp_bias")
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """LLaMA: pre-norm blocks of grouped-query attention and a gated feed-forward network.

    Source   Touvron et al. 2023, arXiv:2302.13971, section 2.2; grouped-query attention: arXiv:2307.09288, section 2.2.
    """
    bias = attention_bias(config)
    return decoder_of("llama", s, Facts(bias=bias, mlp_bias=config.flag("mlp_bias", False)))


__all__ = ["model", "notes", "sizes"]
