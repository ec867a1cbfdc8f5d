"""Factoring: the common factor of the terms by hand, the rest by SymPy."""

from __future__ import annotations

from math import prod
from typing import Any

from derive.algebra.arrange import as_terms
from derive.algebra.normal import equal, normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.errors import UndecidedError
from derive.formula import tidy
from derive.formula.sympy_form import sympy_symbol
from derive.formula.tree import Formula, Number, Sum, children


def factored(formula: Formula) -> Formula:
    """The formula as a product of irreducible factors: `2d^2 + 2d d_kv -> 2d(d + d_kv)`.

    The factors come from SymPy; that their product is the formula is proved here. Terms stand by rank, the first positive.
    """
    form = normal(formula)
    above = _factors(form.ring, form.numerator)
    below = _factors(form.ring, form.denominator)
    result = tidy.divide(tidy.multiply(above), tidy.multiply(below))
    if not equal(result, formula):
        raise UndecidedError(f"the factors of {formula.text} do not multiply back to it")
    return result


def _factors(ring: Ring, terms: Polynomial) -> tuple[Formula, ...]:
    """The number, then the single symbols, then the sums, each to its power."""
    import sympy

    if not terms:
        return (Number(0),)
    symbols = [sympy_symbol(name) for name in ring.names]
    if not symbols:
        return (Number(next(iter(terms.values()))),)
    dense = {tuple(ring.degree(monomial, name) for name in ring.names): value for monomial, value in terms.items()}
    number, factors = sympy.Poly.from_dict(dense, *symbols, domain="ZZ").factor_list()
    signed = [(*_leading_positive(_from_poly(ring, factor)), int(power)) for factor, power in factors]
    spelled = [tidy.power(part, Number(power)) for _, part, power in signed]
    spelled.sort(key=lambda part: (len(part.names) > 1, ring.names.index(part.names[0])))
    sign = prod(sign**power for sign, _, power in signed)
    return (Number(int(number) * sign), *spelled)


def _leading_positive(factor: Formula) -> tuple[int, Formula]:
    """A factor with its first term positive, and the sign that was taken out."""
    first = factor.terms[0] if isinstance(factor, Sum) else factor
    return (
        (-1, tidy.add(tuple(tidy.multiply((Number(-1), term)) for term in children(factor)))) if tidy.split(first)[0] < 0 else (1, factor)
    )


def _from_poly(ring: Ring, poly: Any) -> Formula:
    terms = {ring.monomial(map(int, exponents)): int(value) for exponents, value in poly.terms()}
    return as_terms(ring, terms)
