"""Gemma: explicit head size, gated feed-forward, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, explicit="Gemma")


def model(s: Sizes, config: Config) -> Model:
    """Gemma: multi-head or multi-query attention and a gated feed-forward network.

    Source   Gemma 2024, arXiv:2403.08295, section 2.
    """
    return decoder_of("gemma", s, Facts(bias=attention_bias(config)))


__all__ = ["model", "notes", "sizes"]
