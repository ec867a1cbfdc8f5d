"""What leads when symbols grow together: limits of ratios of rational formulas, exactly."""

from __future__ import annotations

from derive.algebra import polynomial
from derive.algebra.normal import normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.formula.tree import Formula


def tends_to_one(left: Formula, right: Formula, scaling: tuple[str, ...]) -> bool:
    """Whether left / right tends to 1 as the symbols of `scaling` grow in fixed proportion, all others fixed."""
    ring = Ring(tuple(dict.fromkeys((*left.names, *right.names))))
    one, other = normal(left, ring), normal(right, ring)
    above = polynomial.multiply(one.numerator, other.denominator)
    below = polynomial.multiply(other.numerator, one.denominator)
    return _leading(ring, above, scaling) == _leading(ring, below, scaling)


def _leading(ring: Ring, terms: Polynomial, scaling: tuple[str, ...]) -> Polynomial:
    """The terms of the highest degree in the scaling symbols together."""

    def degree(monomial: int) -> int:
        return sum(exponent for name, exponent in ring.exponents(monomial) if name in scaling)

    highest = max(map(degree, terms), default=0)
    return {monomial: value for monomial, value in terms.items() if degree(monomial) == highest}
