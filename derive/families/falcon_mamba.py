"""Falcon Mamba: Mamba whose step size, input and output maps are normalised by RMSNorms without scales."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._mamba import STATES, selective_model
from derive.families._mamba import selective_sizes as sizes
from derive.families._sizes import Sizes


def model(s: Sizes, config: Config) -> Model:
    """Falcon Mamba: the tensors of Mamba, for its further norms have none.

    Source   Zuo et al. 2024, arXiv:2410.05355, section 3.1.
    """
    return selective_model("falcon_mamba", s, config)


def notes(config: Config) -> tuple[str, ...]:
    """What the norms hold, and what a reader of the cache should know."""
    return ("The norms on the step size, B and C have no scales, so no parameters.", STATES)


__all__ = ["model", "notes", "sizes"]
