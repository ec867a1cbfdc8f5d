"""Ministral 3: Mistral blocks with an explicit head size."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import where_set
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number."""
    return dense_sizes(config, explicit="Ministral 3", sliding=where_set(config))


def model(s: Sizes, config: Config) -> Model:
    """Ministral 3: grouped-query attention and a gated feed-forward network.

    Source   Mistral AI 2025, the Mistral 3 announcement.
    """
    return decoder_of("ministral3", s, Facts())


__all__ = ["model", "notes", "sizes"]
