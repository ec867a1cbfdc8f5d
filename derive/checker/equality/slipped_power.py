"""A leading term that was given another power: `12Ld³` for a sum that begins with `12Ld²`."""

from __future__ import annotations

from derive.algebra.normal import normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.checker.equality.leading_part import polynomial_of
from derive.checker.finding import Ruling
from derive.errors import UndecidedError
from derive.formula.tree import Formula


def slipped_power(left: Formula, right: Formula) -> Ruling | None:
    """The verdict where one side is one term, and a term of the other has its number and its letters, but other powers.

    A term without a number is left alone: its letters may well be tied to those of the sum.
    """
    for whole, part in ((left, right), (right, left)):
        try:
            meant = _meant(whole, part)
        except UndecidedError:
            continue
        if meant:
            return Ruling("wrong", "formula", f"not a term of the sum: that is {meant}", right=meant)
    return None


def _meant(whole: Formula, part: Formula) -> str:
    """The term of the sum that was meant; empty where the other side is no such slip."""
    from derive.algebra.arrange import as_terms

    ring = Ring(tuple(dict.fromkeys((*whole.names, *part.names))))
    terms, others = _terms(whole, ring), list(_terms(part, ring).items())
    if len(terms) < 2 or len(others) != 1:
        return ""
    slipped, number = others[0]
    if abs(number) == 1 or slipped in terms:
        return ""
    meant = (key for key, value in terms.items() if value == number and _letters(ring, key) == _letters(ring, slipped))
    return next((as_terms(ring, {key: number}, whole).text for key in meant), "")


def _letters(ring: Ring, key: int) -> set[str]:
    return {name for name, _ in ring.exponents(key)}


def _terms(side: Formula, ring: Ring) -> Polynomial:
    """The terms of a polynomial with whole numbers; none of anything else."""
    terms, below = polynomial_of(normal(side, ring)) or ({}, 1)
    return terms if below == 1 else {}
