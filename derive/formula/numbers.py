"""Numbers as people write and read them: digit groups, a few significant digits, shares."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derive.formula.tree import Rational

_SCALES: dict[str, tuple[tuple[int, str], ...]] = {
    "en": ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K")),
    "zh": ((10**12, "万亿"), (10**8, "亿"), (10**4, "万")),
}


def rounded(value: Rational, digits: int) -> str:
    """The value with `digits` decimals, rounded half to even on the exact value: `rounded(1/3, 2) -> 0.33`."""
    scaled = round(Fraction(value) * 10**digits)
    sign = "-" if scaled < 0 else ""
    whole, part = divmod(abs(scaled), 10**digits)
    return f"{sign}{whole:,}.{part:0{digits}d}" if digits else f"{sign}{whole:,}"


def significant(value: Rational, digits: int = 3) -> str:
    """The value with `digits` significant digits and no exponent: `0.00405 -> 0.00405`, `38.597 -> 38.6`."""
    if value == 0:
        return "0"
    magnitude = _magnitude(abs(Fraction(value)))
    return rounded(value, max(digits - 1 - magnitude, 0))


def decimal(value: Rational, digits: int) -> str:
    """The value with at most `digits` significant digits, without zeros at the end: `4.625`."""
    text = significant(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def scaled(value: Rational, language: str = "en", digits: int = 3) -> str:
    """The value in the reader's large units: `6.74B` in English, `67.4 亿` in Chinese."""
    magnitude = abs(Fraction(value))
    for size, unit in _SCALES[language]:
        if magnitude >= size:
            return significant(Fraction(value) / size, digits) + (unit if language == "en" else f" {unit}")
    return significant(value, digits)


def percent(part: Rational, whole: Rational, digits: int = 3) -> str:
    """The share of `part` in `whole`: `31.0 %`."""
    return significant(Fraction(part) / Fraction(whole) * 100, digits) + " %"


def _magnitude(value: Fraction) -> int:
    """The power of ten of the first digit: `38.6 -> 1`, `0.004 -> -3`."""
    magnitude = _digits(value.numerator) - _digits(value.denominator)
    shifted = value / 10**magnitude if magnitude >= 0 else value * 10**-magnitude
    return magnitude if shifted >= 1 else magnitude - 1


def _digits(number: int) -> int:
    """Decimal digits of a positive whole number, also of one too long to be written."""
    digits = (number.bit_length() - 1) * 30_102 // 100_000
    while 10**digits <= number:
        digits += 1
    return digits
