"""How far off a number may be when the numbers that it is computed from were rounded."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.checker.arithmetic.values import bounded, value_of
from derive.errors import UndecidedError
from derive.formula.statement import Written
from derive.formula.tree import Formula, Number, Power, Product, Quotient, Sum
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """A number between two bounds."""

    low: Fraction
    high: Fraction


def interval_of(formula: Formula, values: Mapping[str, Fraction]) -> Interval:
    """What the value may be when every number that is written with few digits stands for all that round to it."""
    match formula:
        case Written() if formula.resolution is not None and abs(formula.value / formula.resolution) >= 10:
            half = formula.resolution / 2
            value = Fraction(formula.value)
            return Interval(value - half, value + half)
        case Sum(terms):
            parts = [interval_of(term, values) for term in terms]
            return Interval(sum((part.low for part in parts), Fraction(0)), sum((part.high for part in parts), Fraction(0)))
        case Product(factors):
            found = Interval(Fraction(1), Fraction(1))
            for factor in factors:
                found = _times(found, interval_of(factor, values))
            return found
        case Quotient(numerator, denominator):
            below = interval_of(denominator, values)
            if below.low <= 0 <= below.high:
                raise UndecidedError("a division by what may be zero")
            return _times(interval_of(numerator, values), Interval(1 / below.high, 1 / below.low))
        case Power(base, exponent) if isinstance(exponent, Number) and isinstance(exponent.value, int) and 0 < exponent.value < 20:
            found = inner = interval_of(base, values)
            for _ in range(exponent.value - 1):
                found = _times(found, inner)
            return found
    value = value_of(formula, values)
    return Interval(value, value)


def _times(left: Interval, right: Interval) -> Interval:
    products = [bounded(a * b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Interval(min(products), max(products))
