"""What Qwen's families share: which layers look through a window."""

from __future__ import annotations

from derive.config import Config
from derive.families._context import Sliding, never


def late_window(config: Config) -> Sliding:
    """With `use_sliding_window` and a window, the layers from `max_window_layers` on slide."""
    if not (config.flag("use_sliding_window", False) and config.has("sliding_window")):
        return never
    first = config.number("max_window_layers", default=28, least=0)
    return lambda layer: layer >= first
