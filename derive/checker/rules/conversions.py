"""Numbers that say what units are, or count different things: no result of each other."""

from __future__ import annotations

from derive.checker.arithmetic.written import written_numbers
from derive.checker.rules.pair import Pair
from derive.formula.statement import Side
from derive.formula.units import UNITS


def is_conversion(pair: Pair) -> bool:
    """`1 inch = 2.54 cm`, `3 days = 576 GPU hours`: two numbers that count different things, or stand in running text without a unit."""
    if not all(_is_measure(side) for side in (pair.left, pair.right)):
        return False
    if pair.left.claim is None or pair.right.claim is None:
        return True
    if pair.left.claim.full and not pair.left.units and not pair.left.claim.scale and (not pair.first or pair.left.claim.value >= 10**4):
        return False  # a result written in full, not something that is counted
    kinds = [_kind(side) for side in (pair.left, pair.right)]
    known = {"bytes", "time", "flops", "rate"}
    if set(kinds) == {"flops", "rate"}:
        return False
    if "other" in kinds or (kinds[0] != kinds[1] and set(kinds) & known):
        return True
    return pair.equation.kind != "math" and not set(kinds) & known and pair.left.claim.scale in ("", pair.right.claim.scale)


def _is_measure(side: Side) -> bool:
    """Whether a side is one number with units."""
    return (
        len(written_numbers(side.formula)) == 1 and set(side.formula.names) <= side.units and (side.claim is not None or bool(side.units))
    )


def _kind(side: Side) -> str:
    """What the unit of a side measures."""
    return next((UNITS[word].kind for word in sorted(side.units)), "count")


def defines_unit(pair: Pair) -> bool:
    """`1 GB = 2^30 bytes` says what a GB is."""
    claim = pair.left.claim
    named = any(letter.isalpha() for letter in pair.left.text)
    return claim is not None and claim.value == 1 and named and pair.first
