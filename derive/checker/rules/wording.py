"""Numbers and formulas as messages say them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.algebra.arrange import simplified
from derive.errors import DeriveError
from derive.formula.tree import Formula


def values_said(values: Mapping[str, Fraction]) -> str:
    """`d = 4,096, r = 0.5`."""
    return ", ".join(
        f"{name} = {value.numerator:,}" if value.denominator == 1 else f"{name} = {float(value):g}" for name, value in values.items()
    )


def number_text(value: Fraction) -> str:
    """An integer in full, any other number with six digits."""
    from derive.formula.numbers import decimal

    return f"{value.numerator:,}" if value.denominator == 1 and abs(value) < 10**24 else decimal(value, 6)


def simple_text(formula: Formula) -> str:
    """The formula with like terms gathered, where that can be done."""
    try:
        return simplified(formula).text
    except DeriveError:
        return formula.text
