"""Two computations: products or sums of numbers on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from derive.checker.arithmetic.intervals import Interval, interval_of
from derive.checker.arithmetic.nearness import NEAR
from derive.checker.arithmetic.values import value_of
from derive.checker.finding import Ruling
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import number_text
from derive.errors import DeriveError
from derive.formula.tree import Formula
from derive.formula.units import UNITS


def rule_computations(pair: Pair, values: Mapping[str, Fraction]) -> Ruling:
    """Two products or sums of numbers."""
    left, right = value_of(pair.left.formula, values), value_of(pair.right.formula, values)
    shown = number_text(left)
    if left == right or abs(left - right) * 10**12 <= abs(left):
        return Ruling("exact", "equal-numbers", f"both are {shown}")
    bare = [value_of(side.formula, {**values, **dict.fromkeys(side.units, Fraction(1))}) for side in (pair.left, pair.right)]
    for unit in _implied(pair):
        if left == right * unit or left * unit == right:
            return Ruling("exact", "equal-numbers", f"both are {shown}, the unit implied on one side")
        if (ratio := max(left, right) / min(left, right) / unit if min(left, right) > 0 else None) and abs(ratio - 1) <= NEAR:
            return Ruling("approximation", "near", "near, the unit implied on one side", relative_error=ratio - 1)
    if bare[0] == bare[1] and pair.left.units | pair.right.units:
        return Ruling("exact", "equal-numbers", f"both are {number_text(bare[0])}, whatever the units")
    error = (right - left) / left if left else None
    near = error is not None and abs(error) <= Fraction(1, 10 if pair.loose else 200)
    one, other = bounds(pair.left.formula, values), bounds(pair.right.formula, values)
    overlap = one is not None and other is not None and one.low <= other.high and other.low <= one.high
    if near and (pair.loose or overlap):
        return Ruling("approximation", "near", f"near: {shown} and {number_text(right)}", relative_error=error)
    message = f"the left side is {shown}, the right side {number_text(right)}"
    return Ruling("wrong", "number", message, shown, stated=number_text(right), relative_error=error)


def _implied(pair: Pair) -> Iterator[Fraction]:
    """The units of the side that has some, where the other has none: `40 GB + 8 GB = 40 + 8`."""
    if bool(pair.left.units) != bool(pair.right.units):
        yield from {UNITS[word].factor for word in pair.left.units | pair.right.units if word in UNITS} - {Fraction(1)}


def bounds(formula: Formula, values: Mapping[str, Fraction]) -> Interval | None:
    """What the value may be within the rounding of the numbers in it, where that can be said."""
    try:
        return interval_of(formula, values)
    except DeriveError:
        return None
