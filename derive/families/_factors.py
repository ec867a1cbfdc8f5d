"""Widths that a configuration states as a factor of another, which may be a fraction."""

from __future__ import annotations

from derive.config import Config, shown

LARGEST_FACTOR = 1000


def factor(config: Config, key: str) -> float:
    """A positive number, whole or not."""
    config.has(key)
    value = config.values.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < LARGEST_FACTOR:
        config.fail(f"{key} must be a positive number, not {shown(value)}")
    return value


def rounded_up(width: float, multiple: int) -> int:
    """The width as the next multiple; worked out in floats where the width is one, as implementations do."""
    return int((width + multiple - 1) // multiple) * multiple
