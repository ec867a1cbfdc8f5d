"""Charts as values: what is drawn, in numbers of the engine; how it is drawn is `drawing`'s."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from derive.text import Text

Number: TypeAlias = int | Fraction
Unit: TypeAlias = Literal["count", "percent", "GiB", "plain"]
"""What the numbers along an axis are: a count in K, M, B; a percentage; gibibytes; or numbers as they are."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: what it shows, its unit, and whether equal steps multiply (`base` 2 or 10) or add (0).

    Formulas in the label stand between backticks.
    """

    label: Text
    unit: Unit = "plain"
    base: int = 0


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one line, or the lengths of one kind of bar."""

    label: Text
    x: tuple[Number, ...]
    y: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines over a common axis.

    `band` is the space that is shaded: between two of the lines, or between one and zero (`None`). `level` is a value of y that is marked.
    """

    x: Axis
    y: Axis
    series: tuple[Series, ...]
    band: tuple[int, int | None] | None = None
    level: Number | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """Stacked bars, one for each name; the series are their pieces."""

    x: Axis
    names: tuple[str, ...]
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """One picture: its title, its caption (formulas between backticks), and one or two panels side by side."""

    title: Text
    caption: Text
    panels: tuple[Lines | Bars, ...]


def powers_of_two(first: int, last: int) -> tuple[int, ...]:
    """2^first, …, 2^last."""
    return tuple(2**power for power in range(first, last + 1))
