"""Gemma 2: explicit head size, a norm before and after each half of a block, every other layer sliding, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; layers 0, 2, … look through the window, and the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, explicit="Gemma 2", sliding=lambda layer: layer % 2 == 0)


def model(s: Sizes, config: Config) -> Model:
    """Gemma 2: grouped-query attention and a gated feed-forward network, four norms a layer.

    Source   Gemma 2 2024, arXiv:2408.00118, section 2.
    """
    return decoder_of("gemma2", s, Facts(bias=attention_bias(config), norms=4))


__all__ = ["model", "notes", "sizes"]
