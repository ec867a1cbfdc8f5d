"""How a chapter speaks: its language, its dialect of LaTeX, and what every function of templates writes with them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.book.tables import table
from derive.book.writing import Dialect, display
from derive.formula.inline import inline
from derive.formula.numbers import decimal, percent, scaled, significant
from derive.formula.tree import Formula
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Voice:
    """A language and a dialect of LaTeX."""

    language: str
    dialect: Dialect

    def _inline(self, formula: Formula) -> str:
        return f"${self.dialect.write(formula)}$"

    def _equation(self, sides: Sequence[Formula], relation: str = "=") -> str:
        return "$" + f" {relation} ".join(self.dialect.write(side) for side in sides) + "$"

    def _display(self, sides: Sequence[Formula]) -> str:
        return display(" = ".join(self.dialect.write(side) for side in sides))

    def _sentence(self, text: Text) -> str:
        return inline(text.in_(self.language), self.dialect.write, lambda formula: f"${formula}$")

    def _table(self, heading: Sequence[Text], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
        return table([self._sentence(word) for word in heading], rows, tuple(right))


def alike(text: str) -> Text:
    """A word that is the same in every language."""
    return Text(text, text)


def digits(value: Any) -> str:
    """A whole number, in digit groups from five digits on as in formulas; a fraction with a few significant digits."""
    if value.denominator != 1:
        return significant(value, 6)
    whole = int(value)
    return f"{whole:,}" if abs(whole) >= 10_000 else str(whole)


def short(value: Any) -> str:
    """A fraction in decimals, as few as it has and at most six digits: `0.625`."""
    return digits(value) if value.denominator == 1 else decimal(value, 6)


def in_units(value: Any, language: str, figures: int = 3, *, zeros: bool = False) -> str:
    """The value in the reader's large units: `6.74B`, `7B`, `1750 亿`; with `zeros` as many digits as asked for, for a column."""
    number = scaled(value, language, figures)
    if not zeros:
        number = re.sub(r"\.0+(?=\D|$)", "", number)
    return re.sub(r"^(\d),(\d{3})(?!,)", r"\1\2", number)


def share_in_table(part: int | Fraction, whole: int | Fraction) -> str:
    """A share for a table, where what is very small needs no digits."""
    return "< 0.01 %" if 0 < part * 10_000 < whole else percent(part, whole)
