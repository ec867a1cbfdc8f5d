"""The right number, written the way the stated one is."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.arithmetic.trials import scale_factor, unit_factor
from derive.formula.numbers import decimal, significant
from derive.formula.statement import Claim


def written_like(value: Fraction, claim: Claim, *, more: int) -> str:
    """The right value the way the claim is written: in its unit and scale, with `more` digits than it has."""
    by_scale = scale_factor(claim)
    unit = claim.scale + (f" {claim.unit}" if claim.unit else "")
    shown = value / unit_factor(claim) / by_scale
    if claim.full and not claim.unit:
        return (f"{shown.numerator:,}" if shown.denominator == 1 else decimal(shown, 8)) + unit
    if _is_power_of_ten(claim, by_scale):
        return _as_power_of_ten(shown, digits_of(claim) + more) + unit
    digits = max(digits_of(claim), 3 if more else 1) + more
    if shown.denominator == 1 and abs(shown) < 10**15 and len(str(abs(shown.numerator))) <= digits + 6:
        return f"{shown.numerator:,}{unit}"
    if abs(shown) >= 10**12:
        return _as_power_of_ten(shown, digits) + unit
    return f"{significant(shown, max(digits, 1))}{unit}"


def digits_of(claim: Claim) -> int:
    """How many significant digits a claim has."""
    return max(len(str(abs(int(claim.value / claim.resolution)))), 1)


def _is_power_of_ten(claim: Claim, by_scale: Fraction) -> bool:
    """Whether a number is written as 6.44·10^9."""
    return not claim.scale and not claim.full and claim.resolution >= 10**4 and abs(claim.value / by_scale) >= 10


def _as_power_of_ten(number: Fraction, digits: int) -> str:
    power = len(str(abs(int(number)))) - 1
    return f"{decimal(number / Fraction(10) ** power, digits)}·10^{power}"
