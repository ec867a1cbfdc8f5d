"""nanochat: attention and a two-matrix feed-forward with squared ReLU; no norm has parameters."""

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
    """nanochat: queries and keys are normalised as well, without parameters.

    Source   Karpathy 2025, the nanochat repository.
    """
    return decoder_of("nanochat", s, Facts(bias=attention_bias(config), gated=False, norm=None))


__all__ = ["model", "notes", "sizes"]
