"""Mamba: a selective state space in every layer, and nothing else but norms."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._mamba import STATES, selective_model
from derive.families._mamba import selective_sizes as sizes
from derive.families._sizes import Sizes


def model(s: Sizes, config: Config) -> Model:
    """Mamba: pre-norm blocks of a selective state space; the head is tied.

    Source   Gu and Dao 2023, arXiv:2312.00752, section 3.4.
    """
    return selective_model("mamba", s, config)


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know."""
    return (STATES,)


__all__ = ["model", "notes", "sizes"]
