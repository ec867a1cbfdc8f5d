"""Two sides that are numbers: equal, rounded, truncated, in another unit, or wrong.

A written number claims its digits and no more. The claim is tried in the order of what people mean: as it stands; without its
unit, where the other side has none; with the rounding of the numbers that it was computed from; with a binary prefix.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.nearness import near
from derive.checker.arithmetic.prefixes import in_binary_prefix, in_binary_prefixes
from derive.checker.arithmetic.rounding import fits, from_rounded, truncated
from derive.checker.arithmetic.trials import taken, trials, unit_factor
from derive.checker.arithmetic.writing import written_like
from derive.checker.finding import Ruling
from derive.formula.statement import Claim
from derive.formula.units import UNITS


def judge_numbers(computed: Computed, claim: Claim, *, loose: bool) -> Ruling:
    """The verdict on `computed = claim`; `loose` where the relation is ≈."""
    stated = claim.value * unit_factor(claim)
    if computed.value == stated:
        return Ruling("exact", "equal-numbers", "equal")
    if abs(computed.value - stated) * 10**15 <= abs(stated) and not claim.full:
        return Ruling("rounded", "rounded", "equal to fifteen digits")
    if not loose and (wrong_unit := in_binary_prefix(computed, claim, exactly=True)) is not None:
        return wrong_unit
    for trial in trials(computed, claim):
        found = fits(computed.value, trial, claim, loose=loose)
        if found is not None:
            return found
    return (
        from_rounded(computed, claim, stated)
        or in_binary_prefix(computed, claim, loose=loose)
        or in_binary_prefixes(computed, claim)
        or truncated(computed, claim)
        or near(computed, claim, loose=loose)
        or _without_units(computed, claim)
        or _wrong(computed, claim)
    )


def _without_units(computed: Computed, claim: Claim) -> Ruling | None:
    """`4 bytes / (1024^3 GB) = 7.92 GB`: right in its bare numbers, with units that do not fit together."""
    if not computed.has_unit or computed.bare is None:
        return None
    bare, factor = computed.bare(), unit_factor(claim)
    found = fits(bare, taken(claim, Fraction(1)), claim)
    return found or (fits(bare, taken(claim, factor), claim) if factor != 1 else None)


def _wrong(computed: Computed, claim: Claim) -> Ruling:
    stated = claim.value * unit_factor(claim)
    if computed.value == 0:
        return Ruling("wrong", "number", "the other side is 0", "0")
    trial = min(trials(computed, claim), key=lambda trial: _distance(trial.value, computed.value))
    right = written_like(computed.value * stated / trial.value if trial.value else computed.value, claim, more=1)
    error = trial.error(computed.value)
    if (unit := _decimal_unit(computed, claim)) is not None:
        return Ruling("wrong", "unit", f"the number is in {unit}: it is {right}", right, relative_error=error)
    return Ruling("wrong", "number", f"it is {right}{_factor_remark(trial.value / computed.value)}", right, relative_error=error)


def _decimal_unit(computed: Computed, claim: Claim) -> str | None:
    """`4 × 10^9 bytes = 4 GiB`: the decimal unit in which a claim in a binary one is right."""
    if claim.unit[1:] != "iB":
        return None
    unit = claim.unit.replace("i", "")
    trial = taken(claim, UNITS[unit].factor)
    return unit if abs(computed.value - trial.value) * 2 <= trial.resolution else None


def _distance(stated: Fraction, value: Fraction) -> Fraction:
    """How many times the one is the other, at least 1."""
    if stated * value <= 0:
        return Fraction(10**30)
    return max(stated / value, value / stated)


_FACTORS = {Fraction(2): "twice", Fraction(1, 2): "half", Fraction(4): "4 times", Fraction(1, 4): "a quarter of", Fraction(3): "3 times"}
_FACTORS |= {Fraction(1, 3): "a third of", Fraction(8): "8 times", Fraction(1, 8): "an eighth of"}
_FACTORS |= {Fraction(10) ** power: f"10^{power} times" for power in (*range(-12, 0), *range(1, 13))}
_FACTORS |= {Fraction(1024) ** power: f"1024^{power} times" for power in (-3, -2, -1, 1, 2, 3)}


def _factor_remark(ratio: Fraction) -> str:
    """`; half of it is stated`, where the ratio is a plain factor."""
    for low, high, words in _factors():
        if low < ratio < high:
            return f"; {words} that is stated"
    return ""


@cache
def _factors() -> tuple[tuple[Fraction, Fraction, str], ...]:
    """Plain factors to within a hundredth, each between its bounds."""
    return tuple((factor * Fraction(99, 100), factor * Fraction(101, 100), words) for factor, words in _FACTORS.items())
