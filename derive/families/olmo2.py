"""OLMo 2: norms after each half of a block, and on queries and keys over all heads."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, whole_width
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """OLMo 2: attention with query and key norms, gated feed-forward, norms on what the halves of a block give.

    Source   OLMo 2 2025, arXiv:2501.00656, section 2.1.
    """
    return decoder_of("olmo2", s, Facts(bias=attention_bias(config), qk_norm=whole_width(s)))


__all__ = ["model", "notes", "sizes"]
