"""Formulas as sums of monomials whose exponents may be negative (`d/h`): a dictionary from packed exponents to numbers.

All of them live in one ring: the names of the vocabulary, of the named totals, and what people call m/d. A formula with any other
name is no concept's.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from derive.algebra.normal import normal
from derive.algebra.polynomial import Ring
from derive.errors import UndecidedError
from derive.formula.tree import Formula
from derive.symbols import VOCABULARY

if TYPE_CHECKING:
    from derive.formula.tree import Rational

Terms: TypeAlias = "dict[int, Rational]"
Factor: TypeAlias = "tuple[Rational, int]"
"""A number times a monomial."""

TOTALS = ("P_total", "P_active", "P_lin", "P_total_MoE", "P_total_mixed", "P_active_mixed", "P_lin_MoE", "P_lin_mixed", "P", "N")
"""Names that stand for a model's parameters as a whole."""
EXPANSIONS = ("e", "r_ff", "ffn_ratio", "mlp_ratio", "expansion", "alpha", "α")
"""What people call the ratio m/d."""
_RING = Ring((*(symbol.name for symbol in VOCABULARY), *TOTALS, "D_tokens", *EXPANSIONS))

_BITS = 64
_HALF = 1 << (_BITS - 2)
_FIELD = (1 << _BITS) - 1
_AT = {name: _BITS * place for place, name in enumerate(_RING.names)}


def known(names: Iterable[str]) -> bool:
    """Whether all of these are names of the ring."""
    return all(name in _AT for name in names)


def terms_in(formula: Formula) -> Terms | None:
    """The formula as a sum of monomials; None where it is none, divides by a sum, or has a name that is not in the ring."""
    if not known(formula.names):
        return None
    try:
        form = normal(formula, _RING)
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
def one_term(formula: Formula) -> Factor | None:
    """A formula as a number and a monomial; None if it is not one term."""
    found = terms_in(formula)
    if found is None or len(found) != 1:
        return None
    ((monomial, number),) = found.items()
    return number, monomial


def single(formula: Formula) -> Factor:
    """The same for a formula that is one term."""
    found = one_term(formula)
    if found is None:
        raise ValueError(f"{formula.text} is not one term")
    return found


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


def put_in(terms: Terms, name: str, factor: Factor) -> Terms:
    """The terms with a name replaced by a number times a monomial."""
    at = _AT[name]
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
