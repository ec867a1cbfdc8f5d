"""InternLM: LLaMA blocks with one flag for biases on all four attention projections."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes, everywhere
from derive.families._sizes import Sizes, multi_head_only
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; attention is multi-head."""
    multi_head_only(config)
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """InternLM: biases in attention unless `bias` is false, none in the feed-forward network.

    Source   InternLM team 2023, technical report, section 2; `bias` as in its released code.
    """
    return decoder_of("internlm", s, Facts(bias=everywhere(config.flag("bias", True))))


__all__ = ["model", "notes", "sizes"]
