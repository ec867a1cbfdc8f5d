"""What a document says that names are."""

from __future__ import annotations

from collections.abc import Mapping

from derive.algebra.normal import normal
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name, Number, Product, Quotient
from derive.records import dataclass

TIED = frozenset("d_q d_kv d_h m m_e m_s h_kv n_ctx".split())
"""Sizes that a document may tie to others: `d_ff = 4 d_model`."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name was said to be, and with which relation."""

    formula: Formula
    relation: str


def put_in(formula: Formula, said: Mapping[str, Formula]) -> Formula:
    """The formula with what names stand for in their place."""
    for _ in range(3):
        formula = formula.substitute({name: said[name] for name in formula.names if name in said})
    return formula


def tie_of(left: Formula, right: Formula) -> tuple[str, Formula] | None:
    """What a relation says that a name is: `d_ff/4 = d` that d_ff is 4d."""
    match left:
        case Name(name):
            return (name, right) if name not in right.names else None
        case Quotient(Name(name), Number() as below) if name not in right.names:
            return name, Product((below, right))
    return None


def is_multiple(formula: Formula) -> bool:
    """`6d`, `d/4`: what an equation between sizes is solved to."""
    match formula:
        case Name():
            return True
        case Product(factors):
            return sum(isinstance(factor, Name) for factor in factors) == 1 and all(
                isinstance(factor, (Name, Number)) for factor in factors
            )
        case Quotient(numerator, denominator):
            return is_multiple(numerator) and isinstance(denominator, Number)
    return False


def only_together(formula: Formula, letters: frozenset[str]) -> bool:
    """Whether every term has the letters to the same power."""
    try:
        form = normal(formula)
    except DeriveError:
        return False
    for terms in (form.numerator, form.denominator):
        for key in terms:
            powers = dict(form.ring.exponents(key))
            if len({powers.get(letter, 0) for letter in letters}) > 1:
                return False
    return True
