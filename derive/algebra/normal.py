"""The exact normal form: a numerator over a denominator, both integer polynomials.

It decides whether two rational formulas are equal, and what their difference is, without SymPy and in microseconds.
"""

from __future__ import annotations

from fractions import Fraction

from derive.algebra import polynomial
from derive.algebra.polynomial import ONE, Polynomial, Ring
from derive.errors import UndecidedError
from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Normal:
    """`numerator / denominator` over a ring of names. The denominator is taken not to be zero."""

    ring: Ring
    numerator: Polynomial
    denominator: Polynomial


def normal(formula: Formula, ring: Ring | None = None) -> Normal:
    """The normal form of a rational formula.

    Raises `UndecidedError` for an exponent that is not a whole number, and beyond the bounds of `polynomial`.
    """
    ring = ring or Ring(formula.names)
    return Normal(ring, *_fraction(formula, ring))


def difference(left: Formula, right: Formula) -> Normal:
    """`left - right` in normal form; its numerator is empty where they are equal."""
    ring = Ring(tuple(dict.fromkeys((*left.names, *right.names))))
    above, below = _fraction(left, ring)
    over, under = _fraction(right, ring)
    if below == under:
        return Normal(ring, polynomial.add(above, polynomial.negative(over)), below)
    crossed = polynomial.negative(polynomial.multiply(over, below))
    return Normal(ring, polynomial.add(polynomial.multiply(above, under), crossed), polynomial.multiply(below, under))


def sign(form: Normal) -> int:
    """1 or -1 where the form is positive or negative for all positive values of its names; 0 where that cannot be told, or it is 0."""
    signs = {(above > 0) == (below > 0) for above in form.numerator.values() for below in form.denominator.values()}
    return (1 if signs.pop() else -1) if len(signs) == 1 else 0


def equal(left: Formula, right: Formula) -> bool:
    """Whether two rational formulas are the same function, proved; denominators are taken not to be zero."""
    return left == right or not difference(left, right).numerator


def _fraction(formula: Formula, ring: Ring) -> tuple[Polynomial, Polynomial]:
    if isinstance(formula, Name):  # asked so often that `match` would cost
        return ring.variable(formula.name), ONE
    if isinstance(formula, Number):
        return polynomial.constant(formula.value.numerator), polynomial.constant(formula.value.denominator)
    if isinstance(formula, Product):
        return _product(formula.factors, ring)
    if isinstance(formula, Sum):
        return _sum(formula.terms, ring)
    if isinstance(formula, Power) and (exponent := _whole_exponent(formula.exponent)) is not None:
        above, below = _fraction(formula.base, ring)
        if exponent < 0:
            above, below = _nonzero(below, formula), _nonzero(above, formula)
        return polynomial.power(above, abs(exponent)), polynomial.power(below, abs(exponent))
    if isinstance(formula, Quotient):
        above, below = _fraction(formula.numerator, ring)
        over, under = _fraction(formula.denominator, ring)
        return polynomial.multiply(above, under), polynomial.multiply(below, _nonzero(over, formula))
    raise UndecidedError(f"{formula.text} is not a rational formula")


def _whole_exponent(exponent: Formula) -> int | None:
    """The exponent as a whole number, worked out where it is written as `1 + 1` or `4/2`."""
    if isinstance(exponent, Number):
        return int(exponent.value) if exponent.value.denominator == 1 else None
    if exponent.names:
        return None
    value = exponent.evaluate({})
    return int(value) if value.denominator == 1 else None


def _sum(terms: tuple[Formula, ...], ring: Ring) -> tuple[Polynomial, Polynomial]:
    above, below = _fraction(terms[0], ring)
    for term in terms[1:]:
        over, under = _fraction(term, ring)
        if below == under:
            above = polynomial.add(above, over)
        elif (times := _times(under, below)) is not None:
            above = polynomial.add(_scaled(above, times.numerator), _scaled(over, times.denominator))
            below = _scaled(below, times.numerator)
        else:
            above = polynomial.add(polynomial.multiply(above, under), polynomial.multiply(over, below))
            below = polynomial.multiply(below, under)
    return above, below


def _times(left: Polynomial, right: Polynomial) -> Fraction | None:
    """The number by which `left` is a multiple of `right`, if it is one; so 4x + 4y and 3x + 3y have the denominator 12x + 12y."""
    if left.keys() != right.keys():
        return None
    found = {Fraction(value, right[monomial]) for monomial, value in left.items()}
    return found.pop() if len(found) == 1 else None


def _scaled(terms: Polynomial, number: int) -> Polynomial:
    return {monomial: number * value for monomial, value in terms.items()}


def _product(factors: tuple[Formula, ...], ring: Ring) -> tuple[Polynomial, Polynomial]:
    above, below = _fraction(factors[0], ring)
    for factor in factors[1:]:
        over, under = _fraction(factor, ring)
        above = polynomial.multiply(above, over)
        if under != ONE:
            below = polynomial.multiply(below, under)
    return above, below


def _nonzero(denominator: Polynomial, formula: Formula) -> Polynomial:
    if not denominator:
        raise UndecidedError(f"division by zero in {formula.text}")
    return denominator
