"""A leading term that was given another power: `12Ld³` for a sum that begins with `12Ld²`."""

from __future__ import annotations

from derive.algebra import polynomial
from derive.algebra.normal import normal
from derive.algebra.polynomial import Polynomial, Ring
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
    from derive.algebra.arrange import as_terms

    ring = Ring(tuple(dict.fromkeys((*whole.names, *part.names))))
    terms, (one, *more) = _terms(whole, ring), (*_terms(part, ring).items(), None)
    if one is None or more != [None] or len(terms) < 2 or abs(one[1]) == 1 or one[0] in terms:
        return ""
    letters = {name for name, _ in ring.exponents(one[0])}
    for key, value in terms.items():
        if value == one[1] and {name for name, _ in ring.exponents(key)} == letters:
            return as_terms(ring, {key: value}, whole).text
    return ""


def _terms(side: Formula, ring: Ring) -> Polynomial:
    """The terms of a polynomial with whole numbers; none of anything else."""
    form = normal(side, ring)
    above, below = polynomial.cancelled(ring, form.numerator, form.denominator)
    return above if below == {0: 1} else {}
