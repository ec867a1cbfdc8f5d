"""InternLM: LLaMA blocks with one flag for biases on all four attention projections."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS
from derive.architecture.model import Model
from derive.config import Config
from derive.families._llama_like import llama_model, llama_sizes, multi_head_only
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; attention is multi-head."""
    multi_head_only(config)
    return llama_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """InternLM: biases in attention unless `bias` is false, none in the feed-forward network.

    Source   InternLM team 2023, technical report, section 2; `bias` as in its released code.
    """
    return llama_model("internlm", s, bias=ALL_BIAS if config.flag("bias", True) else NO_BIAS)


__all__ = ["model", "notes", "sizes"]
