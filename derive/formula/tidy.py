"""The operators that build tidy formulas.

Tidy means what a textbook does without saying so: `d * 2 * d` is `2d^2`, `d d_q + d_q d` is `2d d_q`; nothing is
multiplied out and nothing is re-sorted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.errors import UndecidedError
from derive.formula.tree import Formula, Number, Power, Product, Quotient, Sum

if TYPE_CHECKING:
    from derive.formula.tree import Rational

MOST_BITS = 9_900
"""A number is worked out only while it has fewer bits than this, so that it can still be written and read."""

ZERO, ONE = Number(0), Number(1)


def add(terms: tuple[Formula, ...]) -> Formula:
    """The sum, flat, with like terms gathered where the first of them stands."""
    gathered: dict[frozenset[Formula], tuple[Rational, Formula]] = {}
    for term in _flat_terms(terms):
        coefficient, factors = split(term)
        key = frozenset(factors)
        if key in gathered:
            before, first = gathered[key]
            gathered[key] = (before + coefficient, first)
        else:
            gathered[key] = (coefficient, _product(factors))
    whole = [multiply((Number(n), monomial)) for n, monomial in gathered.values() if n != 0]
    return _sum(_gather_cofactors(whole))


def multiply(factors: tuple[Formula, ...]) -> Formula:
    """The product, flat: one number in front, equal bases as one power, the rest in order."""
    coefficient: Rational = 1
    exponents: dict[Formula, Formula] = {}
    for factor in _flat_factors(factors):
        if isinstance(factor, Number):
            coefficient = bounded(coefficient * factor.value)
            continue
        base, exponent = (factor.base, factor.exponent) if isinstance(factor, Power) else (factor, ONE)
        exponents[base] = add((exponents[base], exponent)) if base in exponents else exponent
    if coefficient == 0:
        return ZERO
    rest = [_raised(base, exponent) for base, exponent in exponents.items() if exponent != ZERO]
    numbers = [] if coefficient == 1 and rest else [Number(coefficient)]
    return _product((*numbers, *rest))


def divide(numerator: Formula, denominator: Formula) -> Formula:
    """The quotient; by a number it becomes a fraction in front of the product."""
    if isinstance(denominator, Number):
        from fractions import Fraction

        if denominator.value == 0:
            raise UndecidedError(f"division by zero in {numerator.text}/0")
        return multiply((Number(Fraction(1) / denominator.value), numerator))
    if numerator == denominator:
        return ONE
    return ZERO if numerator == ZERO else Quotient(numerator, denominator)


def power(base: Formula, exponent: Formula) -> Formula:
    """The power; a whole exponent goes into a product and into a power."""
    if not (isinstance(exponent, Number) and isinstance(exponent.value, int)):
        return Power(base, exponent)
    match base:
        case Number(value):
            return _number_power(value, exponent.value)
        case Product(factors):
            return multiply(tuple(power(factor, exponent) for factor in factors))
        case Power(inner, Number(value)):
            return _raised(inner, Number(value * exponent.value))
    return _raised(base, exponent)


def bounded(value: Rational) -> Rational:
    """The number, unless it is too large to be written."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise UndecidedError("a number is too large to be worked out")
    return value


def split(term: Formula) -> tuple[Rational, tuple[Formula, ...]]:
    """A term as its number and its other factors: `3dm -> 3, (d, m)`."""
    if isinstance(term, Number):
        return term.value, ()
    if not isinstance(term, Product):
        return 1, (term,)
    first, *rest = term.factors
    return (first.value, tuple(rest)) if isinstance(first, Number) else (1, term.factors)


def _gather_cofactors(terms: list[Formula]) -> list[Formula]:
    """Terms that differ only in a factor in brackets, where the brackets add up to one term: `Vd + (c-1)Vd -> cVd`."""
    for index, term in enumerate(terms):
        coefficient, factors = split(term)
        brackets = tuple(factor for factor in factors if isinstance(factor, Sum))
        plain = frozenset(factor for factor in factors if not isinstance(factor, Sum))
        if not brackets or not plain:
            continue
        for place, other in enumerate(terms):
            number, same = split(other)
            if place == index or frozenset(same) != plain:
                continue
            cofactor = add((Number(number), multiply((Number(coefficient), *brackets))))
            if not isinstance(cofactor, Sum):
                merged = [multiply((cofactor, *same)) if at == place else kept for at, kept in enumerate(terms) if at != index]
                return _gather_cofactors(merged)
    return terms


def _flat_terms(terms: tuple[Formula, ...]) -> list[Formula]:
    flat: list[Formula] = []
    for term in terms:
        if isinstance(term, Sum):
            flat.extend(_flat_terms(term.terms))
        else:
            flat.append(multiply((term,)) if isinstance(term, Product) else term)
    return flat


def _flat_factors(factors: tuple[Formula, ...]) -> list[Formula]:
    flat: list[Formula] = []
    for factor in factors:
        if isinstance(factor, Product):
            flat.extend(_flat_factors(factor.factors))
        else:
            flat.append(factor)
    return flat


def _sum(terms: list[Formula]) -> Formula:
    if not terms:
        return ZERO
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def _product(factors: tuple[Formula, ...]) -> Formula:
    if not factors:
        return ONE
    return factors[0] if len(factors) == 1 else Product(factors)


def _raised(base: Formula, exponent: Formula) -> Formula:
    return base if exponent == ONE else ONE if exponent == ZERO else Power(base, exponent)


def _number_power(value: Rational, exponent: int) -> Formula:
    """A number to a whole power, exact, as long as it stays small enough to hold."""
    if value == 0 and exponent < 0:
        raise UndecidedError(f"division by zero in 0^{exponent}")
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if value not in (0, 1, -1) and bits * abs(exponent) > MOST_BITS:
        raise UndecidedError("a number is too large to be worked out")
    if exponent < 0:
        from fractions import Fraction

        return Number(Fraction(1) / value**-exponent)
    return Number(value**exponent)


def negated(term: Formula) -> Formula:
    """The term with the opposite sign, otherwise as it was written."""
    if isinstance(term, Number):
        return Number(-term.value)
    if isinstance(term, Product) and isinstance(term.factors[0], Number):
        first, *rest = term.factors
        return Product((negated(first), *rest)) if negated(first) != ONE else _product(tuple(rest))
    return Product((Number(-1), *(term.factors if isinstance(term, Product) else (term,))))
