"""Formulas as sums of monomials whose exponents may be negative (`d/h`): a dictionary from packed exponents to numbers.

All of them live in one ring, the names of the vocabulary and of the named totals, so that they can be compared across formulas;
names that a formula brings along stand behind these.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from derive.algebra.normal import normal
from derive.algebra.polynomial import Ring
from derive.errors import UndecidedError
from derive.formula import tidy
from derive.formula.tree import Formula, Name, Number
from derive.symbols import FACTOR_RANK, VOCABULARY

if TYPE_CHECKING:
    from derive.formula.tree import Rational

Terms: TypeAlias = "dict[int, Rational]"
Factor: TypeAlias = "tuple[Rational, int]"
"""A number times a monomial."""

TOTALS = ("P_total", "P_active", "P_lin", "P_total_MoE", "P_total_mixed", "P_active_mixed", "P_lin_MoE", "P_lin_mixed", "P", "N")
"""Names that stand for a model's parameters as a whole."""
NAMES = (*(symbol.name for symbol in VOCABULARY), *TOTALS, "D_tokens")

_BITS = 64
_HALF = 1 << (_BITS - 2)
_FIELD = (1 << _BITS) - 1
_AT = {name: _BITS * place for place, name in enumerate(NAMES)}


def ring_of(names: tuple[str, ...]) -> Ring:
    """The ring of all known names, and of these behind them."""
    return Ring((*NAMES, *(name for name in names if name not in _AT)))


def known(names: tuple[str, ...]) -> bool:
    """Whether all of these stand in every ring."""
    return all(name in _AT for name in names)


def terms_in(formula: Formula, ring: Ring) -> Terms | None:
    """The formula as a sum of monomials; None where it is none, or divides by a sum."""
    try:
        form = normal(formula, ring)
    except UndecidedError:
        return None
    if len(form.denominator) != 1:
        return None
    ((below, number),) = form.denominator.items()
    return {monomial - below: ratio(value, number) for monomial, value in form.numerator.items()}


def ratio(value: Rational, number: Rational) -> Rational:
    """The quotient of two numbers, an integer where it is whole."""
    if number == 1:
        return value
    found = Fraction(value) / number
    return found.numerator if found.denominator == 1 else found


@cache
def single(formula: Formula) -> Factor:
    """A formula of one term as a number and a monomial."""
    found = terms_in(formula, ring_of(formula.names))
    if found is None or len(found) != 1:
        raise ValueError(f"{formula.text} is not one term")
    ((monomial, number),) = found.items()
    return number, monomial


def subtract(terms: Terms, other: Terms) -> Terms:
    """The difference, without terms that vanish."""
    result = dict(terms)
    for monomial, value in other.items():
        left = result.get(monomial, 0) - value
        if left:
            result[monomial] = left
        else:
            del result[monomial]
    return result


def divided(terms: Terms, factor: Factor) -> Terms:
    """The terms divided by a number times a monomial."""
    number, monomial = factor
    return {each - monomial: ratio(value, number) for each, value in terms.items()}


def put_in(terms: Terms, name: str, factor: Factor, ring: Ring) -> Terms:
    """The terms with a name replaced by a number times a monomial."""
    at = _AT[name] if name in _AT else _BITS * ring.names.index(name)
    offset = _offset(at)
    number, monomial = factor
    change = monomial - (1 << at)
    result: Terms = {}
    for each, value in terms.items():
        exponent = ((each + offset) >> at & _FIELD) - _HALF
        if exponent:
            each += exponent * change
            if number != 1:
                value = ratio(value * Fraction(number) ** exponent, 1)
        both = result.get(each, 0) + value
        if both:
            result[each] = both
        else:
            result.pop(each, None)
    return result


@cache
def _offset(at: int) -> int:
    return sum(_HALF << (_BITS * place) for place in range(at // _BITS + 1))


def exponents(monomial: int, ring: Ring) -> dict[str, int]:
    """The names of a monomial with their exponents, none of them zero."""
    found = {}
    for name in ring.names:
        exponent = ((monomial + _HALF) & _FIELD) - _HALF
        if exponent:
            found[name] = exponent
        monomial = (monomial - exponent) >> _BITS
        if not monomial:
            break
    return found


def as_formula(terms: Terms, ring: Ring) -> Formula:
    """The terms as a formula, high degree first, factors as the field writes them."""
    written = [(exponents(monomial, ring), value) for monomial, value in terms.items()]
    written.sort(key=lambda each: (-sum(each[0].values()), sorted(_rank(name) for name in each[0])))
    return tidy.add(tuple(_term(powers, value) for powers, value in written))


def _term(powers: dict[str, int], value: Rational) -> Formula:
    names = sorted(powers, key=_rank)
    above = (tidy.power(Name(name), Number(powers[name])) for name in names if powers[name] > 0)
    product = tidy.multiply((Number(value), *above))
    below = tuple(tidy.power(Name(name), Number(-powers[name])) for name in names if powers[name] < 0)
    return tidy.divide(product, tidy.multiply(below)) if below else product


def _rank(name: str) -> tuple[int, str]:
    return FACTOR_RANK.get(name, len(FACTOR_RANK)), name
