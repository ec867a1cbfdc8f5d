"""Numbers that are near the right one though their digits do not hold."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.rounding import trailing_zeros
from derive.checker.arithmetic.trials import Trial, trials
from derive.checker.arithmetic.writing import digits_of, written_like
from derive.checker.finding import Ruling
from derive.formula.statement import Claim
from derive.formula.units import UNITS

NEAR = Fraction(1, 200)
"""A stated number that is so near, relative to the right one, was computed from rounded numbers."""
_MOST_LAST_DIGITS = 50
"""How far off in its last digit a number that is written with many digits may be."""


def near(computed: Computed, claim: Claim, *, loose: bool) -> Ruling | None:
    """Near enough to come from rounded numbers, or from prefixes of 1000 and 1024 mixed; or an order of magnitude in powers of two."""
    if computed.value == 0:
        return None
    for trial in trials(computed, claim):
        error = trial.error(computed.value)
        right = written_like(computed.value, claim, more=0)
        scaled = not claim.full or (loose and trailing_zeros(claim) > 0)
        counted = bool(claim.scale) and claim.scale != "%" and (not claim.unit or UNITS[claim.unit].kind == "count")
        fine = digits_of(claim) >= 4 and abs(trial.value - computed.value) > _MOST_LAST_DIGITS * trial.resolution
        if abs(error) <= NEAR and not (fine and not loose) and (loose or (scaled and counted) or trial.resolution > 10**5):
            return Ruling("approximation", "near", f"near; the digits would be {right}", right, relative_error=error)
        if loose and scaled and abs(trial.value - computed.value) <= trial.resolution and abs(error) <= Fraction(1, 10):
            return Ruling("approximation", "near", f"off by one in the last digit: {right}", right, relative_error=error)
        mixed = _mixed(computed.value, trial, claim)
        if mixed:
            message = f"prefixes of 1000 and 1024 are mixed ({mixed}): {right}"
            return Ruling("approximation", "near", message, right, relative_error=error)
        if loose and _round_power_of_two(trial.value, computed.value):
            message = f"the nearest power of two; the value is {right}"
            return Ruling("approximation", "near", message, written_like(computed.value, claim, more=1), relative_error=error)
    return None


def _mixed(value: Fraction, trial: Trial, claim: Claim) -> str:
    """Whether the number fits when one or two of its factors 1000 are 1024."""
    if claim.full or not (claim.scale or claim.unit or trial.resolution > 1):
        return ""
    for power, name in ((1, "1.024"), (2, "1.024²")):
        shifted = trial.value * Fraction(1024, 1000) ** power
        half = trial.resolution * Fraction(1024, 1000) ** power / 2
        digits = abs(claim.value / claim.resolution)
        if abs(shifted - value) <= half and digits >= 100 and _thousands(value) > power:
            return f"a factor {name}"
    return ""


def _thousands(value: Fraction) -> int:
    """How many times a number can be divided by 1000."""
    count = 0
    while abs(value) >= 1000:
        value, count = value / 1000, count + 1
    return count


def _round_power_of_two(stated: Fraction, value: Fraction) -> bool:
    """`32k` for a value whose nearest power of two is 32768."""
    thousands = stated / 1000
    if thousands.denominator != 1 or thousands <= 1 or (thousands.numerator & (thousands.numerator - 1)):
        return False
    power = thousands * 1024
    return power * power < 2 * value * value and value * value < 2 * power * power and Fraction(5, 6) < value / power < Fraction(6, 5)
