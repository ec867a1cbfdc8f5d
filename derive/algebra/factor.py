"""Factoring: the common factor of the terms by hand, the rest by SymPy."""

from __future__ import annotations

from typing import Any

from derive.algebra.arrange import as_terms
from derive.algebra.normal import equal, normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.errors import UndecidedError
from derive.formula import tidy
from derive.formula.sympy_form import sympy_symbol
from derive.formula.tree import Formula, Number


def factored(formula: Formula) -> Formula:
    """The formula as a product of irreducible factors: `2d^2 + 2d d_kv -> 2d(d + d_kv)`.

    The factors come from SymPy; that their product is the formula is proved here. Terms keep the order they had.
    """
    form = normal(formula)
    above = _factors(form.ring, form.numerator, formula)
    below = _factors(form.ring, form.denominator, formula)
    result = tidy.divide(tidy.multiply(above), tidy.multiply(below))
    if not equal(result, formula):
        raise UndecidedError(f"the factors of {formula.text} do not multiply back to it")
    return result


def _factors(ring: Ring, terms: Polynomial, like: Formula) -> tuple[Formula, ...]:
    """The number, then the single symbols, then the sums, each to its power."""
    import sympy

    if not terms:
        return (Number(0),)
    symbols = [sympy_symbol(name) for name in ring.names]
    if not symbols:
        return (Number(next(iter(terms.values()))),)
    dense = {tuple(ring.degree(monomial, name) for name in ring.names): value for monomial, value in terms.items()}
    number, factors = sympy.Poly.from_dict(dense, *symbols, domain="ZZ").factor_list()
    spelled = [tidy.power(_from_poly(ring, factor, like), Number(int(power))) for factor, power in factors]
    spelled.sort(key=lambda part: (len(part.names) > 1, ring.names.index(part.names[0])))
    return (Number(int(number)), *spelled)


def _from_poly(ring: Ring, poly: Any, like: Formula) -> Formula:
    terms = {ring.monomial(map(int, exponents)): int(value) for exponents, value in poly.terms()}
    return as_terms(ring, terms, like)
