"""What leads when symbols grow together: degrees, leading terms and limits of ratios of rational formulas, exactly."""

from __future__ import annotations

from dataclasses import dataclass

from derive.algebra import polynomial
from derive.algebra.arrange import arranged, as_terms
from derive.algebra.normal import Normal, normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.errors import UndecidedError
from derive.formula.tree import Formula


@dataclass(frozen=True, slots=True)
class Growth:
    """How a ratio behaves as symbols grow in fixed proportion: like `leading` times their common size to the `degree`."""

    degree: int
    leading: Formula


def growth(formula: Formula, scaling: tuple[str, ...]) -> Growth:
    """The leading behaviour of a rational formula as the symbols of `scaling` grow in fixed proportion, all others fixed.

    With degree 0 the leading formula is the limit. Raises `UndecidedError` where the formula is 0/0 or zero.
    """
    form = normal(formula)
    if not form.numerator:
        raise UndecidedError(f"{formula.text} is zero, so nothing leads")
    above, over = _leading(form.ring, form.numerator, scaling)
    below, under = _leading(form.ring, form.denominator, scaling)
    return Growth(over - under, _ratio(form.ring, above, below, formula))


def tends_to_one(left: Formula, right: Formula, scaling: tuple[str, ...]) -> bool:
    """Whether left / right tends to 1 as the symbols of `scaling` grow in fixed proportion, all others fixed."""
    ring = Ring(tuple(dict.fromkeys((*left.names, *right.names))))
    one, other = normal(left, ring), normal(right, ring)
    above = polynomial.multiply(one.numerator, other.denominator)
    below = polynomial.multiply(other.numerator, one.denominator)
    return _leading(ring, above, scaling)[0] == _leading(ring, below, scaling)[0]


def by_degree(formula: Formula, scaling: tuple[str, ...]) -> list[tuple[int, Formula]]:
    """The terms of a polynomial formula gathered by their degree in the scaling symbols together, highest first."""
    form = normal(formula)
    if len(form.denominator) != 1 or 0 not in form.denominator:
        raise UndecidedError(f"{formula.text} is not a polynomial")
    degrees: dict[int, Polynomial] = {}
    for monomial, value in form.numerator.items():
        degrees.setdefault(_degree(form.ring, monomial, scaling), {})[monomial] = value
    return [(degree, as_terms(form.ring, degrees[degree], formula, form.denominator[0])) for degree in sorted(degrees, reverse=True)]


def _ratio(ring: Ring, above: Polynomial, below: Polynomial, like: Formula) -> Formula:
    return arranged(Normal(ring, above, below), like)


def _leading(ring: Ring, terms: Polynomial, scaling: tuple[str, ...]) -> tuple[Polynomial, int]:
    """The terms of the highest degree in the scaling symbols together, and that degree."""
    highest = max((_degree(ring, monomial, scaling) for monomial in terms), default=0)
    return {monomial: value for monomial, value in terms.items() if _degree(ring, monomial, scaling) == highest}, highest


def _degree(ring: Ring, monomial: int, scaling: tuple[str, ...]) -> int:
    return sum(exponent for name, exponent in ring.exponents(monomial) if name in scaling)
