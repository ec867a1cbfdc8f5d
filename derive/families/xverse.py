"""XVERSE: LLaMA blocks with multi-head attention, no biases."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._sizes import Sizes, multi_head_only
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; attention is multi-head."""
    multi_head_only(config)
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """XVERSE: multi-head attention and a gated feed-forward network.

    Source   XVERSE-13B 2023, its released code; blocks as in LLaMA, arXiv:2302.13971, section 2.2.
    """
    return decoder_of("xverse", s, Facts())


__all__ = ["model", "notes", "sizes"]
