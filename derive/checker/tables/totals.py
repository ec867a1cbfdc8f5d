"""Parts and their total."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.checker.finding import Finding, Ruling
from derive.checker.tables.entries import Entry, on_entries
from derive.documents.document import Document
from derive.formula.statement import Side

_TOTAL = re.compile(r"^\W*(?:(?:grand |the )?(?:total|sum)|overall|altogether|all together|合计|总计|总和|共计|总)", re.IGNORECASE)
_NOT_TOTAL = re.compile(r"sub-?total|小计|per |每|active|激活|non-|without|excl|不含|除|加|plus|with |含", re.IGNORECASE)
_NO_PART = re.compile(r"其中|of which|includ|average|mean|平均|^\s*[-·└├]", re.IGNORECASE)
"""Rows that are a part of a part, or no part at all."""


def is_total(label: str) -> bool:
    """Whether a label says that its number is the sum of those before."""
    return _TOTAL.search(label) is not None and _NOT_TOTAL.search(label) is None


def totals(document: Document, body: list[list[Entry]], wrong: set[int]) -> Iterator[Finding]:
    """The row of totals against the parts above it, column by column."""
    start = 0
    for at, row in enumerate(body):
        label = row[0].text if row else ""
        if not is_total(label) or at < len(body) - 2:
            continue
        rows = [above for above in body[start:at] if not _NO_PART.search(above[0].text if above else "")]
        for column in range(1, len(row)):
            yield from total_finding(document, [above[column] for above in rows if column < len(above)], row[column], wrong)
        start = at + 1


def total_finding(document: Document, parts: list[Entry], total: Entry, wrong: set[int]) -> Iterator[Finding]:
    """One column: its parts are all numbers, and their sum is what the total says, or is not far from it.

    Nothing is said where a part, or the total itself, stands in a line that is wrong.
    """
    if any(document.place(entry.offsets[0])[0] in wrong for entry in (*parts, total)):
        return
    numbers = [part.side for part in parts if part.side is not None and part.is_number]
    if total.side is None or len(parts) < 2 or len(numbers) < len(parts):
        return
    ruling = _ruling(numbers, total.side, loose=total.loose)
    if ruling is not None:
        yield on_entries(document, total, total, f"the sum of {len(parts)} parts = {total.side}", "=", ruling)


def _ruling(parts: list[Side], total: Side, *, loose: bool) -> Ruling | None:
    """The ruling on parts and their total.

    None where the total is no number, or off by what rounding may do, or by so much that these are not its parts.
    """
    if total.claim is None:
        return None
    values = [value_of(part.formula, UNIT_VALUES) for part in parts]
    value = sum(values, Fraction(0))
    found = judge_numbers(Computed(value, True), total.claim, loose=loose and not total.claim.full)
    if found.verdict != "wrong":
        return found
    off = abs(value - value_of(total.formula, UNIT_VALUES))
    slack = sum((_last_digit(part) for part in parts), Fraction(0)) / 2
    one_left_out = off in values
    if off <= slack + _last_digit(total) or off > abs(value) / (2 if one_left_out else 10):
        return None
    return Ruling("wrong", "sum", f"the parts add up to {found.right}", found.right, relative_error=found.relative_error)


def _last_digit(side: Side) -> Fraction:
    """One unit of the last digit of a number that is not written in full."""
    claim = side.claim
    return Fraction(0) if claim is None or claim.full else claim.resolution * UNIT_VALUES.get(claim.unit, Fraction(1))
