"""HyperCLOVA X: Granite's blocks, with norms after each half as well unless `use_post_norm` is false."""

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
    """HyperCLOVA X: grouped-query attention and a gated feed-forward network; multipliers are no parameters.

    Source   NAVER Cloud 2025 (HyperCLOVA X THINK), arXiv:2506.22403, section 2.
    """
    norms = 4 if config.flag("use_post_norm", True) else 2
    facts = Facts(bias=attention_bias(config), mlp_bias=config.flag("mlp_bias", False), norms=norms)
    return decoder_of("hyperclovax", s, facts)


__all__ = ["model", "notes", "sizes"]
