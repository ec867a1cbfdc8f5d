"""A computation that goes on from its own result: `4 + 4 = 8 bytes × 1.5B = 12 GB`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import value_of
from derive.checker.finding import Ruling
from derive.checker.rules.pair import Pair
from derive.formula.claims import claim_of
from derive.formula.statement import Claim
from derive.formula.tree import Formula, Product, Quotient

_LEAST_RUNNING = 10
"""A smaller rounded number at the beginning of a side may be any number: `1/3`."""


def goes_on(pair: Pair, values: Mapping[str, Fraction]) -> Ruling | None:
    """`4 + 4 = 8 bytes × 1.5B = 12 GB`: the right side begins with the result of the left one and goes on from it."""
    right = pair.right.formula
    claim = _leading(right, pair.right.units)
    if claim is None or pair.right.claim is not None:
        return None
    left = value_of(pair.left.formula, values)
    bare = pair.left.claim.value if pair.left.claim is not None else left
    for value in (left, bare):
        found = judge_numbers(Computed(value, True), claim, loose=pair.loose)
        if found.verdict in ("exact", "exact-under") or (found.verdict == "rounded" and claim.value >= _LEAST_RUNNING):
            return Ruling(
                found.verdict, found.code, "a running computation: the result is the first number of what follows", stated=pair.right.text
            )
    return None


def _leading(formula: Formula, units: frozenset[str]) -> Claim | None:
    """The number that a formula begins with, with its unit."""
    while isinstance(formula, (Product, Quotient)):
        found = claim_of(formula, set(units))
        if found is not None:
            return found
        formula = formula.factors[0] if isinstance(formula, Product) else formula.numerator
    return claim_of(formula, set(units))
