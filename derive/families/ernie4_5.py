"""ERNIE 4.5, its dense models: LLaMA blocks with an explicit head size, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes, everywhere
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, explicit="ERNIE 4.5")


def model(s: Sizes, config: Config) -> Model:
    """ERNIE 4.5: grouped-query attention and a gated feed-forward network; `use_bias` puts a bias on all of their matrices.

    Source   Baidu 2025, ERNIE 4.5 Technical Report.
    """
    bias = config.flag("use_bias", False)
    return decoder_of("ernie4_5", s, Facts(bias=everywhere(bias), mlp_bias=bias))


__all__ = ["model", "notes", "sizes"]
