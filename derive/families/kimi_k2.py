"""Kimi K2: DeepSeek-V3 with fewer heads, more experts and one dense layer."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import deepseek_v3
from derive.families._sizes import Sizes
from derive.families.deepseek_v3 import notes, prediction, sizes


def model(s: Sizes, config: Config) -> Model:
    """Kimi K2: latent attention; the router chooses k of E gated experts beside the shared one.

    Source   Kimi Team 2025, arXiv:2507.20534, section 2.3.
    """
    return deepseek_v3.model(s, config)


__all__ = ["model", "notes", "prediction", "sizes"]
