"""Factoring: the common factor of the terms by hand, the rest by SymPy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derive.algebra.arrange import as_terms
from derive.algebra.normal import equal, normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.errors import UndecidedError
from derive.formula import tidy
from derive.formula.sympy_form import sympy_symbol
from derive.formula.tree import Formula, Number, Sum, children

HIGHEST_DEGREE = 12
MOST_TERMS = 60
"""Polynomials beyond these are not given to SymPy, whose factoring has no bound of its own."""


def factored(formula: Formula) -> Formula:
    """The formula as a product of irreducible factors: `2d^2 + 2d d_kv -> 2d(d + d_kv)`.

    The factors come from SymPy; that their product is the formula is proved here. Terms keep the order they had, the first
    positive. A sum that has no factors stays one. Raises `UndecidedError` beyond the bounds.
    """
    form = normal(formula)
    like = formula if len(form.denominator) == 1 and 0 in form.denominator else None
    over, above = _factors(form.ring, form.numerator, like)
    under, below = _factors(form.ring, form.denominator, like)
    for part in above.keys() & below.keys():
        common = min(above[part], below[part])
        above[part] -= common
        below[part] -= common
    result = tidy.multiply((Number(Fraction(over, under)), tidy.divide(_product(form.ring, above), _product(form.ring, below))))
    if not equal(result, formula):
        raise UndecidedError(f"the factors of {formula.text} do not multiply back to it")
    return result


def _product(ring: Ring, factors: dict[Formula, int]) -> Formula:
    """The single symbols, then the sums, each to its power."""
    found = [(part, power) for part, power in factors.items() if power]
    found.sort(key=lambda item: (isinstance(item[0], Sum), ring.names.index(item[0].names[0])))
    return tidy.multiply(tuple(tidy.power(part, Number(power)) for part, power in found))


def _factors(ring: Ring, terms: Polynomial, like: Formula | None) -> tuple[int, dict[Formula, int]]:
    """The number before a polynomial's factors, and the factors with their powers."""
    import sympy

    if not terms or not ring.names:
        return sum(terms.values()), {}
    _check(ring, terms)
    symbols = [sympy_symbol(name) for name in ring.names]
    dense = {tuple(ring.degree(monomial, name) for name in ring.names): value for monomial, value in terms.items()}
    number, found = sympy.Poly.from_dict(dense, *symbols, domain="ZZ").factor_list()
    singles = [(part, int(power)) for part, power in found if len(part.terms()) == 1]
    monomial = ring.monomial(sum(power * int(part.degree(at)) for part, power in singles) for at in range(len(symbols)))
    factors: dict[Formula, int] = {}
    sign = 1
    for part, power in found:
        flipped, formula = _leading_positive(_from_poly(ring, part, monomial, like))
        sign *= flipped ** int(power)
        factors[formula] = int(power)
    return int(number) * sign, factors


def _check(ring: Ring, terms: Polynomial) -> None:
    degree = max(sum(exponent for _, exponent in ring.exponents(monomial)) for monomial in terms)
    if len(terms) > MOST_TERMS or (len(terms) > 1 and degree > HIGHEST_DEGREE):
        raise UndecidedError(f"not factored: more than {MOST_TERMS} terms, or a degree above {HIGHEST_DEGREE}")


def _leading_positive(factor: Formula) -> tuple[int, Formula]:
    """A factor with its first term positive, and the sign that was taken out."""
    first = factor.terms[0] if isinstance(factor, Sum) else factor
    if tidy.split(first)[0] > 0:
        return 1, factor
    return -1, tidy.add(tuple(tidy.multiply((Number(-1), term)) for term in children(factor)))


def _from_poly(ring: Ring, poly: Any, monomial: int, like: Formula | None) -> Formula:
    """A factor whose terms stand as the terms of `like` do, from which `monomial` was taken out."""
    terms = {ring.monomial(map(int, exponents)): int(value) for exponents, value in poly.terms()}
    return as_terms(ring, terms, like, outside=monomial)
