"""How a chapter speaks: its language, its dialect of LaTeX, and what every function of templates writes with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.book.tables import table
from derive.book.writing import Dialect, display, with_formulas
from derive.errors import ChapterError
from derive.formula.numbers import decimal, percent, scaled, significant
from derive.formula.tree import Formula
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Voice:
    """A language and a dialect of LaTeX."""

    language: str
    dialect: Dialect

    def by_name(self) -> dict[str, Callable[..., str]]:
        """The public methods of a subject, which are its functions of templates."""
        return {name: getattr(self, name) for name, value in vars(type(self)).items() if callable(value) and not name.startswith("_")}

    def _inline(self, formula: Formula) -> str:
        return f"${self.dialect.write(formula)}$"

    def _equation(self, sides: Sequence[Formula], relation: str = "=") -> str:
        return "$" + f" {relation} ".join(self.dialect.write(side) for side in sides) + "$"

    def _display(self, sides: Sequence[Formula]) -> str:
        return display(" = ".join(self.dialect.write(side) for side in sides))

    def _sentence(self, text: Text) -> str:
        return with_formulas(text.in_(self.language), self.dialect)

    def _and(self, items: Iterable[str]) -> str:
        """Things of a kind in a row: `A, B`, in Chinese `A、B`."""
        return ("、" if self.language == "zh" else ", ").join(items)

    def _percent(self, part: int | Fraction, whole: int | Fraction) -> str:
        """A share: `31.0 %`, in Chinese `31.0%`."""
        return closed_up(minus(ungrouped(percent(part, whole))), self.language)

    def _change(self, by: int | Fraction, whole: int | Fraction) -> str:
        """A gain or a loss as a share of what it is of: `+3.2 %`, `−31.7 %`."""
        return ("+" if by > 0 else "") + self._percent(by, whole)

    def _share_in_table(self, part: int | Fraction, whole: int | Fraction) -> str:
        """A share for a table, where what is very small needs no digits."""
        return f"< {self._percent(1, 10_000).replace('0.0100', '0.01')}" if 0 < part * 10_000 < whole else self._percent(part, whole)

    def _table(self, heading: Sequence[Text], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
        if not rows:
            raise ChapterError("the table has no rows: name what it is to show")
        return table([self._sentence(word) for word in heading], rows, tuple(right))


def alike(text: str) -> Text:
    """A word that is the same in every language."""
    return Text(text, text)


def digits(value: Any) -> str:
    """A whole number, in digit groups from five digits on as in formulas; a fraction with a few significant digits."""
    return figures(value, 6) if value.denominator != 1 else ungrouped(f"{int(value):,}")


def figures(value: Any, most: int = 3) -> str:
    """A number with so many significant digits: `38.6`, `5392`; in digit groups as whole numbers are."""
    return ungrouped(significant(value, most))


def short(value: Any, most: int = 6) -> str:
    """A fraction in decimals, as few as it has and at most so many digits: `0.625`; in digit groups as whole numbers are."""
    return digits(value) if value.denominator == 1 else ungrouped(decimal(value, most))


def in_units(value: Any, language: str, most: int = 3, *, zeros: bool = False) -> str:
    """The value in the reader's large units: `6.74B`, `7B`, `1750 亿`; with `zeros` as many digits as asked for, for a column."""
    number = scaled(value, language, most)
    return ungrouped(number if zeros else re.sub(r"\.0+(?=\D|$)", "", number))


def ungrouped(text: str) -> str:
    """A text whose numbers below ten thousand are without digit groups, as in formulas: `5,392` → `5392`."""
    return re.sub(r"(?<![\d,])(\d),(\d{3})(?!,?\d)", r"\1\2", text)


def closed_up(text: str, language: str) -> str:
    """A percentage as its language has it: in Chinese the sign touches the number."""
    return text.replace(" %", "%") if language == "zh" else text


def minus(number: str) -> str:
    """A number in a text: what is below zero with a minus sign, not a hyphen."""
    return f"−{number[1:]}" if number.startswith("-") else number
