"""Ministral: Mistral blocks, some or all of them sliding."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import where_set
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._sizes import Sizes
from derive.families.mistral import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number, unless `layer_types` says otherwise."""
    return dense_sizes(config, sliding=where_set(config))


def model(s: Sizes, config: Config) -> Model:
    """Ministral: grouped-query attention and a gated feed-forward network.

    Source   Mistral AI 2024, the Ministral 8B model card.
    """
    return decoder_of("ministral", s, Facts())


__all__ = ["model", "notes", "sizes"]
