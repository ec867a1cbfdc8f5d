"""OLMo: LLaMA blocks whose LayerNorms have no parameters."""

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
    """OLMo: attention and a gated feed-forward network, norms without scale or shift.

    Source   Groeneveld et al. 2024, arXiv:2402.00838, section 2.1.
    """
    return decoder_of("olmo", s, Facts(bias=attention_bias(config), norm=None))


__all__ = ["model", "notes", "sizes"]
