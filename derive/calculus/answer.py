"""The answer to a scaling question: proved derivations, a table of exact values, and remarks, in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from derive.derivation import Derivation
from derive.formula.inline import inline_text
from derive.formula.numbers import decimal, percent
from derive.formula.tree import Formula
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, shown in percent with so many significant digits."""

    value: Fraction
    digits: int = 3


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a column, and its key in JSON."""

    key: str
    title: Text


Cell: TypeAlias = int | Fraction | Share | Formula | Text | str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Derivations whose lines are proved, a table with its heading, and remarks, with formulas between backticks.

    `posed` is the equation that the derivations solve, where they solve one.
    """

    derivations: tuple[Derivation, ...]
    heading: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    remarks: tuple[Text, ...] = ()
    posed: tuple[Derivation, ...] = ()

    @property
    def numeric(self) -> list[int]:
        """The columns that hold numbers, which are set to the right."""
        return [
            at
            for at in range(len(self.heading))
            if all(row[at] is None or isinstance(row[at], int | Fraction | Share) for row in self.rows)
        ]

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """What `--json` prints: numbers as numbers, formulas as text and LaTeX; the equation that was asked is not repeated."""
        return {
            "derivations": [_as_dict(each, language) for each in self.derivations],
            "table": [{column.key: _plain(cell, language) for column, cell in zip(self.heading, row, strict=True)} for row in self.rows],
            "remarks": [inline_text(remark.in_(language)) for remark in self.remarks],
        }


def _as_dict(derivation: Derivation, language: str) -> dict[str, Any]:
    return {
        "left": derivation.left.text,
        "latex": derivation.latex,
        "lines": [
            {"relation": line.relation, "text": line.formula.text, "latex": line.formula.latex, "why": line.why.in_(language)}
            for line in derivation.lines
        ],
    }


def shown(cell: Cell, language: str, write: Any) -> str:
    """A cell for people; `write` writes a formula."""
    match cell:
        case None:
            return "–"
        case Fraction() if cell.denominator != 1:
            return decimal(cell, 8)
        case int() | Fraction():
            return _whole(int(cell))
        case Share():
            return percent(cell.value, 1, cell.digits) if abs(cell.value) < 1000 else f"{decimal_power(cell.value * 100)} %"
        case Text():
            return cell.in_(language)
        case Formula():
            return str(write(cell))
    return cell


def _whole(value: int) -> str:
    return f"{value:,}" if abs(value) < 10**24 else decimal_power(Fraction(value))


def decimal_power(value: Fraction) -> str:
    """A number too long to print in full: `1.23e+45`, rounded on the exact value."""
    whole = abs(round(value))
    digits = len(str(whole)) - 1
    return f"{'-' if value < 0 else ''}{decimal(Fraction(whole, 10**digits), 4)}e+{digits}"


def _plain(cell: Cell, language: str) -> Any:
    match cell:
        case Share(value, _):
            return _plain(value, language)
        case Fraction() if cell.denominator == 1:
            return int(cell)
        case Fraction():
            return {"exact": str(cell), "decimal": float(cell) if abs(cell) < 10**300 else None}
        case Text():
            return cell.in_(language)
        case Formula():
            return {"text": cell.text, "latex": cell.latex}
    return cell
