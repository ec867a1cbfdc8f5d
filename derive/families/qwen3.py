"""Qwen3: LLaMA blocks with an explicit head size and norms on queries and keys."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, per_head
from derive.families._notes import notes
from derive.families._qwen import late_window
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; with `use_sliding_window` the layers from `max_window_layers` on look through a window."""
    return dense_sizes(config, explicit="Qwen3", sliding=late_window(config))


def model(s: Sizes, config: Config) -> Model:
    """Qwen3: grouped-query attention whose queries and keys are normalised head by head.

    Source   Qwen3 2025, arXiv:2505.09388, section 2.
    """
    return decoder_of("qwen3", s, Facts(bias=attention_bias(config), qk_norm=per_head(s)))


__all__ = ["model", "notes", "sizes"]
