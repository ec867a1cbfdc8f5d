"""From the normal form back to a formula that reads like a textbook.

Terms and factors take the order of a formula that came before; what did not stand there follows by rank: high degree
first, factors as the field writes them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from derive.algebra import polynomial
from derive.algebra.normal import Normal, difference, normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.formula import tidy
from derive.formula.rewrite import expand
from derive.formula.tree import Formula, Name, Number, Power, terms_of
from derive.symbols import FACTOR_RANK

Exponents: TypeAlias = frozenset[tuple[str, int]]


def arranged(form: Normal, like: Formula) -> Formula:
    """The normal form as a formula, multiplied out, in the order of `like`."""
    above, below = polynomial.cancelled(form.ring, form.numerator, form.denominator)
    if len(below) == 1 and 0 in below:
        return as_terms(form.ring, above, like, below[0])
    if above.keys() == below.keys():
        times = {Fraction(value, below[monomial]) for monomial, value in above.items()}
        if len(times) == 1:
            return Number(times.pop())
    return tidy.divide(as_terms(form.ring, above, like), as_terms(form.ring, below, like))


def simplified(formula: Formula) -> Formula:
    """The formula multiplied out, in its own order; a common monomial of numerator and denominator cancels."""
    return arranged(normal(formula), formula)


def residual(left: Formula, right: Formula) -> Formula:
    """`left - right`, multiplied out, in the order of `left`; the number 0 where they are equal."""
    return arranged(difference(left, right), left)


def as_terms(ring: Ring, terms: Polynomial, like: Formula | None, divisor: int = 1, outside: int = 0) -> Formula:
    """The polynomial as a sum, in the order of `like` (None: by rank), divided by a number; `outside` is a monomial taken out before."""
    order, spelling = _order(like) if like else ({}, {})
    monomials = sorted(terms, key=lambda monomial: _rank(dict(ring.exponents(monomial + outside)), order))
    parts = []
    for monomial in monomials:
        exponents = dict(ring.exponents(monomial))
        factors = spelling.get(frozenset(exponents.items())) or _spelled(exponents)
        parts.append(tidy.multiply((Number(Fraction(terms[monomial], divisor)), *factors)))
    return tidy.add(tuple(parts))


def _rank(exponents: dict[str, int], order: dict[Exponents, int]) -> tuple[object, ...]:
    """Terms that stood in the formula before come in its order; new ones after them, high degree first."""
    place = order.get(frozenset(exponents.items()))
    ranks = tuple(sorted(FACTOR_RANK.get(name, len(FACTOR_RANK)) for name in exponents))
    return (place is None, place or 0, -sum(exponents.values()), ranks, tuple(sorted(exponents)))


def _order(like: Formula) -> tuple[dict[Exponents, int], dict[Exponents, tuple[Formula, ...]]]:
    """Where each monomial of `like` stands, and how its factors are spelled there."""
    flat = expand(like)
    order: dict[Exponents, int] = {}
    spelling: dict[Exponents, tuple[Formula, ...]] = {}
    for place, term in enumerate(terms_of(flat)):
        _, factors = tidy.split(term)
        exponents = _exponents(factors)
        if exponents is not None:
            order.setdefault(exponents, place)
            spelling.setdefault(exponents, factors)
    return order, spelling


def _exponents(factors: tuple[Formula, ...]) -> Exponents | None:
    found: dict[str, int] = {}
    for factor in factors:
        match factor:
            case Name(name):
                found[name] = 1
            case Power(Name(name), Number(exponent)) if isinstance(exponent, int):
                found[name] = exponent
            case _:
                return None
    return frozenset(found.items())


def _spelled(exponents: dict[str, int]) -> tuple[Formula, ...]:
    names = sorted(exponents, key=lambda name: (FACTOR_RANK.get(name, len(FACTOR_RANK)), name))
    return tuple(tidy.power(Name(name), Number(exponents[name])) for name in names)
