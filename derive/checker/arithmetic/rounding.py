"""Whether a number is the right one in the digits that are written: rounded, cut off, or computed from rounded numbers."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.trials import Trial, trials, unit_factor
from derive.checker.arithmetic.writing import written_like
from derive.checker.finding import Ruling
from derive.formula.statement import Claim

_MOST_ROUNDED = Fraction(2, 3)
"""Rounding to one digit changes a number by a half or less, 1.5 to 2 being a third; 0.52 is not 1."""


def fits(value: Fraction, trial: Trial, claim: Claim, *, loose: bool = False) -> Ruling | None:
    """Exact, or rounded to the digits that are written."""
    remark = f", its unit ({trial.implied}) implied on the other side" if trial.implied else ""
    if value == trial.value:
        return Ruling("exact", "equal-numbers", f"equal{remark}")
    off = abs(value - trial.value)
    if off * 2 <= trial.resolution and trial.value != 0 and off <= abs(value) * _MOST_ROUNDED:
        return _rounded(value, trial, claim, remark)
    zeros = trailing_zeros(claim, least=1 if loose else 2)
    if zeros and off * 2 <= trial.resolution * 10**zeros and off <= abs(value) * Fraction(1, 20):
        return _rounded(value, trial, claim, remark)
    return None


def _rounded(value: Fraction, trial: Trial, claim: Claim, remark: str) -> Ruling:
    error = trial.error(value) if value else None
    implied = trial.value / (claim.value * unit_factor(claim)) if trial.implied and claim.value else 1
    right = written_like(value / implied, claim, more=3)
    return Ruling("rounded", "rounded", f"rounded from {right}{remark}", right, relative_error=error)


def trailing_zeros(claim: Claim, least: int = 2) -> int:
    """Zeros at the end of a number in full, which may be there for want of digits: 23,000."""
    if not claim.full or claim.value == 0 or claim.value.denominator != 1:
        return 0
    digits = str(abs(claim.value.numerator))
    zeros = len(digits) - len(digits.rstrip("0"))
    return zeros if zeros >= least else 0


def from_rounded(computed: Computed, claim: Claim, stated: Fraction) -> Ruling | None:
    """Right within the rounding of the numbers that it was computed from."""
    if claim.full and not trailing_zeros(claim):
        return None
    interval = computed.interval()
    if interval is None or interval.low == interval.high or interval.high - interval.low > abs(computed.value) / 5:
        return None
    half = claim.resolution * unit_factor(claim) / 2
    if interval.low <= stated + half and stated - half <= interval.high:
        right = written_like(computed.value, claim, more=2)
        error = (stated - computed.value) / computed.value
        message = f"{right} as written; right within the rounding of the numbers it comes from"
        return Ruling("approximation", "near", message, right, relative_error=error)
    return None


def truncated(computed: Computed, claim: Claim) -> Ruling | None:
    """The first digits of the right number, cut off."""
    for trial in trials(computed, claim):
        over = abs(computed.value) - abs(trial.value)
        same_sign = computed.value * trial.value > 0
        whole = claim.full and computed.value.denominator == 1
        if same_sign and 0 < over < trial.resolution and not whole:
            right = written_like(computed.value, claim, more=0)
            error = trial.error(computed.value)
            return Ruling("approximation", "truncated", f"the last digit was cut off, not rounded: {right}", right, relative_error=error)
    return None
