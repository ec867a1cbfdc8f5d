"""A computation and the number beside it in its row, or in a column that its head computes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.intervals import interval_of
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.checker.finding import Finding, Ruling
from derive.checker.tables.entries import Entry, expression, on_entries
from derive.documents.document import Document
from derive.errors import DeriveError
from derive.formula.statement import Side
from derive.formula.tree import Number, Product, Quotient, children


def beside_a_number(document: Document, row: list[Entry]) -> Iterator[Finding]:
    """`| 50257 × 768 | 38,597,376 |`: a computation and the nearest number of its row."""
    numbers = [entry for entry in row if entry.is_number]
    for entry in row:
        if not entry.is_computation or not numbers:
            continue
        judged = [(found, stated) for stated in numbers if (found := _judged(entry, stated)) is not None]
        if not judged:
            continue
        found, stated = min(judged, key=lambda each: abs(each[0].relative_error or Fraction(0)))
        if found.verdict == "wrong" and not _comparable(found, _NEAR_A_PAIR if _is_pair(entry) else _FAR):
            continue
        yield _finding(document, entry, stated, found)


_MOST_OF_A_PAIR = 1000


def _is_pair(entry: Entry) -> bool:
    """`16 / 8` query and key/value heads, `2 × 4` ways of two kinds: two small whole numbers need not be a computation."""
    formula = entry.side.formula if entry.side is not None else None
    parts = children(formula) if isinstance(formula, (Product, Quotient)) else ()
    return len(parts) == 2 and all(
        isinstance(part, Number) and part.value < _MOST_OF_A_PAIR and part.value.denominator == 1 for part in parts
    )


_FAR, _NEAR_A_PAIR = Fraction(20), Fraction(6, 5)


def _comparable(found: Ruling, times: Fraction) -> bool:
    """Whether a number is near enough to be meant for the computation: not so many times as large, or as small."""
    return found.relative_error is not None and 1 / times <= found.relative_error + 1 <= times


def under_a_formula(document: Document, head: list[Entry], row: list[Entry]) -> Iterator[Finding]:
    """A column whose head is a formula in the letters that head other columns: `| h | n | 12nh² |`."""
    letters = {
        name: entry.claim.value for title, entry in zip(head, row, strict=False) if entry.claim is not None for name in _letters_of(title)
    }
    for title, entry in zip(head, row, strict=False):
        formula = _formula_of(title) if entry.is_number else None
        names = formula.formula.names if formula is not None else ()
        if len(names) > 1 and all(name in letters for name in names):
            computed = Entry(title.text, formula, entry.offsets)
            found = _judged(computed, entry, {name: letters[name] for name in names})
            if found is not None:
                yield _finding(document, computed, entry, found)


def _letters_of(title: Entry) -> tuple[str, ...]:
    """The letter that a head names: `$h$`, `hidden size h`."""
    if title.side is not None and len(title.side.formula.names) == 1 and not title.side.formula.expand().names[1:]:
        return title.side.formula.names
    words = title.text.split()
    return (words[-1].strip("()$"),) if words and len(words[-1].strip("()$")) <= 2 else ()


def _formula_of(title: Entry) -> Side | None:
    """The formula at the end of a head: "estimate 12nh^2"."""
    for word in reversed(title.text.split()):
        if any(letter.isdigit() for letter in word):
            return expression(word.strip("()（）$`"), plain=False)
    return title.side if title.is_formula else None


def _judged(computed: Entry, stated: Entry, values: Mapping[str, Fraction] | None = None) -> Ruling | None:
    """The ruling on a computation and the number beside it; with values for its letters its names are no units."""
    if computed.side is None or stated.claim is None:
        return None
    formula, known = computed.side.formula, {**UNIT_VALUES, **(values or {})}
    has_unit = not values and not computed.side.units.isdisjoint(formula.names)
    try:
        made = Computed(value_of(formula, known), has_unit, lambda: interval_of(formula, known))
        return judge_numbers(made, stated.claim, loose=stated.loose)
    except DeriveError:
        return None


def _finding(document: Document, computed: Entry, stated: Entry, ruling: Ruling) -> Finding:
    relation = "≈" if stated.loose else "="
    return on_entries(document, computed, stated, f"{computed.side} {relation} {stated.side}", relation, ruling)
