"""What leads when symbols grow together: degrees, leading terms and limits of ratios of rational formulas, exactly."""

from __future__ import annotations

from derive.algebra import polynomial
from derive.algebra.arrange import arranged, as_terms
from derive.algebra.normal import Normal, normal, sign
from derive.algebra.polynomial import Polynomial, Ring
from derive.errors import UndecidedError
from derive.formula.tree import INFINITY, Formula, Number, Product
from derive.records import dataclass


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
    return Growth(over - under, arranged(Normal(form.ring, above, below), formula))


def limit_of(formula: Formula, scaling: tuple[str, ...]) -> Formula:
    """What a rational formula tends to as the symbols of `scaling` grow in fixed proportion, all others positive and fixed.

    Raises `UndecidedError` where it grows without bound and the sign of what leads cannot be told.
    """
    found = growth(formula, scaling)
    if found.degree < 0:
        return Number(0)
    if found.degree == 0:
        return found.leading
    towards = sign(normal(found.leading))
    if not towards:
        raise UndecidedError(f"not decided: whether {found.leading.text} is positive")
    return INFINITY if towards > 0 else Product((Number(-1), INFINITY))


def tends_to_one(left: Formula, right: Formula, scaling: tuple[str, ...]) -> bool:
    """Whether left / right tends to 1 as the symbols of `scaling` grow in fixed proportion, all others fixed."""
    ring = Ring(tuple(dict.fromkeys((*left.names, *right.names))))
    one, other = normal(left, ring), normal(right, ring)
    above = polynomial.multiply(one.numerator, other.denominator)
    below = polynomial.multiply(other.numerator, one.denominator)
    return _leading(ring, above, scaling)[0] == _leading(ring, below, scaling)[0]


def by_degree(formula: Formula, scaling: tuple[str, ...]) -> list[tuple[int, Formula]]:
    """The terms of a polynomial formula gathered by their degree in the scaling symbols together, highest first."""
    form = _cancelled(formula)
    if not _whole(form):
        raise UndecidedError(f"{formula.text} is not a polynomial")
    degrees: dict[int, Polynomial] = {}
    for monomial, value in form.numerator.items():
        degrees.setdefault(_degree(form.ring, monomial, scaling), {})[monomial] = value
    return [(degree, as_terms(form.ring, degrees[degree], formula, form.denominator[0])) for degree in sorted(degrees, reverse=True)]


def is_polynomial(formula: Formula) -> bool:
    """Whether nothing but a number stands below."""
    return _whole(_cancelled(formula))


def _cancelled(formula: Formula) -> Normal:
    """The normal form without common monomials: 2L(d/h)h is 2Ld."""
    form = normal(formula)
    return Normal(form.ring, *polynomial.cancelled(form.ring, form.numerator, form.denominator))


def _whole(form: Normal) -> bool:
    return len(form.denominator) == 1 and 0 in form.denominator


def _leading(ring: Ring, terms: Polynomial, scaling: tuple[str, ...]) -> tuple[Polynomial, int]:
    """The terms of the highest degree in the scaling symbols together, and that degree."""
    highest = max((_degree(ring, monomial, scaling) for monomial in terms), default=0)
    return {monomial: value for monomial, value in terms.items() if _degree(ring, monomial, scaling) == highest}, highest


def _degree(ring: Ring, monomial: int, scaling: tuple[str, ...]) -> int:
    return sum(exponent for name, exponent in ring.exponents(monomial) if name in scaling)
