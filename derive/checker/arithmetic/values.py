"""The number that a formula is; exact fractions, bounded."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt, log

from derive.errors import UndecidedError
from derive.formula.statement import Claim
from derive.formula.tree import Applied, Formula, Name, Number, Power, Product, Quotient, Sum
from derive.formula.units import UNITS

MOST_BITS = 60_000
"""Of a number on the way."""


def value_of(formula: Formula, values: Mapping[str, Fraction]) -> Fraction:
    """The exact value; roots and logarithms to thirty digits. Raises `UndecidedError` for a name without a value, and beyond the bounds."""
    match formula:
        case Number(value):
            return Fraction(value)
        case Name(name):
            if name not in values:
                raise UndecidedError(f"{name} has no value")
            return values[name]
        case Sum(terms):
            return bounded(sum((value_of(term, values) for term in terms), Fraction(0)))
        case Product(factors):
            product = Fraction(1)
            for factor in factors:
                product = bounded(product * value_of(factor, values))
            return product
        case Quotient(numerator, denominator):
            below = value_of(denominator, values)
            if below == 0:
                raise UndecidedError("a division by zero")
            return bounded(value_of(numerator, values) / below)
        case Power(base, exponent):
            return _power(value_of(base, values), value_of(exponent, values))
        case Applied(operator, arguments):
            return _applied(operator, arguments, values)
    raise TypeError(f"not a formula node: {type(formula).__name__}")


def bounded(value: Fraction) -> Fraction:
    """The value, unless it has too many digits."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise UndecidedError("a number of too many digits")
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        if exponent == Fraction(1, 2) and base >= 0:
            return _root(base)
        if base <= 0 or abs(exponent) > 64:
            raise UndecidedError("a power that is no fraction")
        return Fraction(float(base) ** float(exponent)).limit_denominator(10**15)
    if base == 0 and exponent < 0:
        raise UndecidedError("a division by zero")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits > 1 and bits * abs(exponent.numerator) > MOST_BITS:
        raise UndecidedError("a power of too many digits")
    return base ** min(max(exponent.numerator, -(10**6)), 10**6) if bits > 1 else base ** (exponent.numerator % 2 or 2)


def _root(value: Fraction) -> Fraction:
    """The square root, exact where it is one and else to thirty digits."""
    scale = 10**60
    scaled = value.numerator * value.denominator * scale
    return Fraction(isqrt(scaled), value.denominator * 10**30)


def _applied(operator: str, arguments: tuple[Formula, ...], values: Mapping[str, Fraction]) -> Fraction:
    if operator == "sum":
        return _series(arguments, values)
    if operator not in ("floor", "ceil", "sqrt", "log", "max", "min"):
        raise UndecidedError(f"{operator} has no value here")
    found = [value_of(argument, values) for argument in arguments]
    match operator:
        case "floor":
            return Fraction(found[0] // 1)
        case "ceil":
            return Fraction(-(-found[0] // 1))
        case "sqrt" if found[0] >= 0:
            return _root(found[0])
        case "log" if found[0] > 0:
            return Fraction(log(found[0])).limit_denominator(10**15)
        case "max":
            return max(found)
        case "min":
            return min(found)
    raise UndecidedError(f"{operator} of a negative number")


def _series(arguments: tuple[Formula, ...], values: Mapping[str, Fraction]) -> Fraction:
    body, index, lower, upper = arguments
    first, last = value_of(lower, values), value_of(upper, values)
    if not isinstance(index, Name) or last - first > 5000 or first.denominator != 1:
        raise UndecidedError("a sum of too many terms")
    total = Fraction(0)
    at = first
    while at <= last:
        total = bounded(total + value_of(body, {**values, index.name: at}))
        at += 1
    return total


UNIT_VALUES: dict[str, Fraction] = {word: unit.factor for word, unit in UNITS.items()}


def claim_value(claim: Claim) -> Fraction:
    """The value of a claim with its unit."""
    return claim.value * UNIT_VALUES.get(claim.unit, Fraction(1))
