"""GPT-SW3: GPT-2 under another name."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import gpt2
from derive.families._sizes import Sizes
from derive.families.gpt2 import notes, sizes


def model(s: Sizes, config: Config) -> Model:
    """GPT-SW3: pre-norm blocks of attention and a two-matrix feed-forward network.

    Source   Ekgren et al. 2023, arXiv:2305.12987, section 4.
    """
    return gpt2.model(s, config)


__all__ = ["model", "notes", "sizes"]
