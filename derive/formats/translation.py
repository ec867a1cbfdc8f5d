"""What a foreign configuration is translated to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from derive.config import Config, shown
from derive.families import Family
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Translation:
    """The configuration under the keys of config.json, the family that reads it, and what was taken for what."""

    config: Config
    family: Family
    name: str
    note: str


def translated(values: Mapping[str, Any], given: Config, kept: Iterable[str]) -> Config:
    """A configuration of the translated values that keeps the source's name; keys not in `kept`, and set, are refused."""
    known = set(kept)
    for key, value in given.values.items():
        if key not in known and value not in (None, False, 0, [], {}, ""):
            given.fail(f"{key}={shown(value)} is not known in this format, and could change the count")
    return Config({key: value for key, value in values.items() if value is not ...}, given.source)


def needed(given: Config, *keys: str) -> None:
    """Raise where a key that decides the count is missing."""
    missing = [key for key in keys if given.values.get(key) is None]
    if missing:
        given.fail(f"missing {', '.join(missing)}, which the count depends on")


def whole(given: Config, key: str, default: int | None = None, least: int = 1) -> int:
    """A whole number under a key of the format."""
    value = given.values.get(key)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 2**48:
        given.fail(f"{key} must be a whole number from {least} on, not {shown(value)}")
    return value
