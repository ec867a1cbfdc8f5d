"""Qwen2: LLaMA blocks with a bias on queries, keys and values, and none on the output."""

from __future__ import annotations

from derive.architecture.attention import QKV_BIAS
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._qwen import late_window
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; with `use_sliding_window` the layers from `max_window_layers` on look through a window."""
    config.flag("attention_bias", True)  # the implementation has q, k and v biases whatever this says
    return dense_sizes(config, sliding=late_window(config))


def model(s: Sizes, config: Config) -> Model:
    """Qwen2: grouped-query attention with q, k and v biases, gated feed-forward.

    Source   Qwen2 2024, arXiv:2407.10671, section 2.2.1.
    """
    return decoder_of("qwen2", s, Facts(bias=QKV_BIAS))


__all__ = ["model", "notes", "sizes"]
