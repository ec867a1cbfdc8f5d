"""Roots of polynomials in one symbol: exact, isolated by rational intervals, never searched size by size."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from derive.algebra.normal import Normal
from derive.errors import UndecidedError

HIGHEST_DEGREE = 12


def coefficients(form: Normal) -> list[int]:
    """The coefficients of a numerator in one symbol, the highest degree first."""
    (name,) = form.ring.names
    degree = max((form.ring.degree(monomial, name) for monomial in form.numerator), default=0)
    if degree > HIGHEST_DEGREE:
        raise UndecidedError(f"not decided: a polynomial of degree {degree}; the bound is {HIGHEST_DEGREE}")
    found = [0] * (degree + 1)
    for monomial, value in form.numerator.items():
        found[degree - form.ring.degree(monomial, name)] = value
    return found


def real_roots(form: Normal) -> list[tuple[Fraction, Fraction]]:
    """Every real root of the numerator, between two rationals at most 1/1000 apart (equal where the root is rational)."""
    import sympy

    numbers = coefficients(form)
    if len(numbers) == 1:
        return []
    poly: Any = sympy.Poly(numbers, sympy.Symbol("x"))
    intervals = poly.intervals(eps=sympy.Rational(1, 1000))
    return [(_fraction(low), _fraction(high)) for (low, high), _ in intervals]


def largest_root(form: Normal) -> int:
    """The whole part of the largest real root; -1 where there is none."""
    roots = real_roots(form)
    return floor(max(high for _, high in roots)) if roots else -1


def value(numbers: list[int], at: int) -> int:
    """A polynomial's value, by Horner's rule."""
    result = 0
    for number in numbers:
        result = result * at + number
    return result


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))
