"""Formulas at one place: different values there prove them different; equal values prove nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from derive.errors import DeriveError
from derive.formula.tree import Formula


class _Place(dict[str, int]):
    """A whole number for every name, the same each time and hardly the same for two."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> int:
        self[name] = 101 + crc32(name.encode()) % 1_000_003
        return self[name]


def value_there(formula: Formula, known: Mapping[str, Any] | None = None) -> Any:
    """The exact value at the place, some names having the values `known`; None where it cannot be worked out."""
    try:
        return formula.evaluate(_Place(known or {}))
    except (DeriveError, TypeError):
        return None


def could_be_equal(left: Formula, right: Formula) -> bool:
    """False where the formulas have different values at the place; True where they agree there, or cannot be evaluated."""
    one = value_there(left)
    other = value_there(right) if one is not None else None
    return one is None or other is None or bool(one == other)
