"""The side that is worked out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from derive.checker.arithmetic.intervals import Interval
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Computed:
    """The side that is worked out: its value with units as factors, whether it has units, and its bounds where known.

    `bare` is the value of its numbers alone, where its units may not fit together, and `binary` that with every prefix a power of 1024.
    """

    value: Fraction
    has_unit: bool = False
    interval: Callable[[], Interval | None] = lambda: None
    bare: Callable[[], Fraction] | None = None
    binary: Callable[[], Fraction] | None = None
