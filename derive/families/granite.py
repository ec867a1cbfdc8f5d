"""Granite: LLaMA with multipliers on embedding, residuals, scores and logits, which are no parameters."""

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
    """Granite: grouped-query attention and a gated feed-forward network.

    Source   Granite Team 2024, Granite 3.0 Language Models, section 2; Mishra et al. 2024, arXiv:2405.04324, section 3.
    """
    facts = Facts(bias=attention_bias(config), mlp_bias=config.flag("mlp_bias", False))
    return decoder_of("granite", s, facts)


__all__ = ["model", "notes", "sizes"]
