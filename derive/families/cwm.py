"""Code World Model: LLaMA blocks with an explicit head size, three of four layers sliding."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the first of each four layers looks at the whole context."""
    return dense_sizes(config, explicit="CWM", sliding=lambda layer: layer % 4 != 0)


def model(s: Sizes, config: Config) -> Model:
    """CWM: grouped-query attention and a gated feed-forward network.

    Source   FAIR CodeGen 2025, arXiv:2510.02387, section 3.
    """
    return decoder_of("cwm", s, Facts(mlp_bias=config.flag("mlp_bias", False)))


__all__ = ["model", "notes", "sizes"]
