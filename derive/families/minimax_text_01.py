"""MiniMax-Text-01 under the model type of its released code; the tensors are those of `minimax`."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import minimax
from derive.families._sizes import Sizes
from derive.families.minimax import notes, sizes


def model(s: Sizes, config: Config) -> Model:
    """MiniMax-Text-01: lightning attention but for every eighth layer, experts in all.

    Source   MiniMax 2025, arXiv:2501.08313, section 2.
    """
    return minimax.model(s, config)


__all__ = ["model", "notes", "sizes"]
