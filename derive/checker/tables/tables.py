"""Tables: an expression beside its value, a formula beside what it names, a column that its head computes, parts and their total."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.intervals import interval_of
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.checker.equality.rational import rational
from derive.checker.finding import Finding, Ruling
from derive.checker.named.judging import judge_named
from derive.checker.placing import placed
from derive.checker.scope.scope import Scope
from derive.documents.document import Block, Cell, Document
from derive.errors import DeriveError
from derive.formula.read import read_all
from derive.formula.statement import Side, Statement
from derive.formula.tree import Number, Product, Quotient, children
from derive.records import dataclass

MOST_ROWS = 2000
_TOTAL = re.compile(r"^\W*(?:(?:grand |the )?(?:total|sum)|overall|altogether|all together|合计|总计|总和|共计|总)", re.IGNORECASE)
_NOT_TOTAL = re.compile(r"sub-?total|小计|per |每|active|激活|non-|without|excl|不含|除|加|plus|with |含", re.IGNORECASE)
_NO_PART = re.compile(r"其中|of which|includ|average|mean|平均|^\s*[-·└├]", re.IGNORECASE)
"""Rows that are a part of a part, or no part at all."""
_ABOUT = re.compile(r"[~≈∼]|approx|about|约|\\sim|\\approx")


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell: its words, its expression where it has one, and its place."""

    text: str
    side: Side | None = None
    units: frozenset[str] = frozenset()
    offsets: Sequence[int] = field(default=(0, 0))

    @property
    def is_number(self) -> bool:
        """Whether the cell is one written number."""
        return self.side is not None and self.side.claim is not None

    @property
    def is_computation(self) -> bool:
        """Whether the cell is an expression in numbers alone that is not one number."""
        return self.side is not None and self.side.claim is None and set(self.side.formula.names) <= self.units

    @property
    def is_formula(self) -> bool:
        """Whether the cell is a formula with letters."""
        return self.side is not None and not set(self.side.formula.names) <= self.units

    @property
    def loose(self) -> bool:
        """Whether the number is said to be about right."""
        return _ABOUT.search(self.text) is not None


def table_findings(document: Document, scope: Scope, wrong: set[int]) -> Iterator[Finding]:
    """The findings of the rows and columns of a document's tables; `wrong` are the lines where something is wrong, which it adds to."""
    for block in document.blocks:
        if block.kind == "table" and 1 < len(block.rows) <= MOST_ROWS:
            yield from _table(document, block, scope, wrong)


def _table(document: Document, block: Block, scope: Scope, wrong: set[int]) -> Iterator[Finding]:
    rows = [[_entry(cell) for cell in row] for row in block.rows]
    head, body = (rows[0], rows[1:]) if block.header else ([], rows)
    for row in body:
        for finding in (*_beside(document, row), *_named(document, head, row, scope), *_headed(document, head, row)):
            if finding.verdict == "wrong":
                wrong.add(finding.line)
            yield finding
    yield from _totals(document, body, wrong)


def _entry(cell: Cell) -> Entry:
    """A cell read: one expression, with words around it or without."""
    text = "".join(piece.text for piece in cell)
    offsets = [offset for piece in cell for offset in piece.offsets[: len(piece.text)]]
    offsets.append(cell[-1].offsets[-1] if cell else 0)
    mathematics = [piece for piece in cell if piece.kind == "math"]
    for piece in [mathematics[0]] if len(mathematics) == 1 else []:
        return Entry(text, *expression(piece.text, plain=False), piece.offsets)
    stripped = text.strip().strip("*`").lstrip("~≈∼ ")
    stripped = re.sub(r"^(?:约|about |approx\.? )\s*", "", stripped)
    stripped = re.split(r"\s*[(（](?=[^\d)]*[)）]\s*$)", stripped)[0]
    at = text.find(stripped) if stripped else -1
    if at < 0 or len(stripped) > 200 or not re.search(r"\d|[A-Za-z]", stripped):
        return Entry(text, offsets=offsets)
    side, units = expression(stripped, plain=True)
    return Entry(text, side, units, offsets[at : at + len(stripped) + 1])


def expression(text: str, *, plain: bool) -> tuple[Side | None, frozenset[str]]:
    found = read_all(text, plain=plain)
    if len(found) == 1 and isinstance(found[0], Statement) and not found[0].labels:
        last = found[0].sides[-1]
        if not found[0].relations or last.claim is not None:
            return last, last.units
    return None, frozenset()


def _judged(computed: Entry, stated: Entry, values: dict[str, Fraction] | None = None) -> Ruling | None:
    """The verdict on a computation and the number beside it."""
    assert computed.side is not None and stated.side is not None and stated.side.claim is not None
    formula, known = computed.side.formula, {**UNIT_VALUES, **(values or {})}
    try:
        value = value_of(formula, known)
        made = Computed(value, bool(set(formula.names) & computed.units), lambda: interval_of(formula, known))
        return judge_numbers(made, stated.side.claim, loose=stated.loose)
    except DeriveError:
        return None


def _beside(document: Document, row: list[Entry]) -> Iterator[Finding]:
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


def _named(document: Document, head: list[Entry], row: list[Entry], scope: Scope) -> Iterator[Finding]:
    """`| attention | 4d² |` under "params": what the row and the column name, where the formula is it."""
    label = row[0].text.strip() if row else ""
    for at, entry in enumerate(row):
        if at == 0 or not entry.is_formula or entry.side is None:
            continue
        column = head[at].text.strip() if at < len(head) else ""
        try:
            formula = rational(entry.side.formula, entry.units, {})
            found = judge_named(f"{label} {column}", "", formula, scope, loose=True)
        except DeriveError:
            continue
        if found is None or found.verdict == "unchecked":
            continue
        yield _placed(
            document,
            entry,
            entry,
            f"{label} {column}: {entry.side}",
            "",
            replace(found, residual=None, dropped=()),
        )


def _headed(document: Document, head: list[Entry], row: list[Entry]) -> Iterator[Finding]:
    """A column whose head is a formula in the letters that head other columns: `| h | n | 12nh² |`."""
    letters = {
        name: entry.side.claim.value
        for title, entry in zip(head, row, strict=False)
        for name in _letters_of(title)
        if entry.is_number and entry.side is not None and entry.side.claim is not None
    }
    for title, entry in zip(head, row, strict=False):
        formula = _formula_of(title)
        if formula is None or not entry.is_number:
            continue
        names = formula.formula.names
        if len(names) > 1 and all(name in letters for name in names):
            found = _judged(Entry(title.text, formula, frozenset(), title.offsets), entry, {name: letters[name] for name in names})
            if found is not None:
                yield _finding(document, Entry(title.text, formula, frozenset(), entry.offsets), entry, found)


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
            side, _ = expression(word.strip("()（）$`"), plain=False)
            return side
    return title.side if title.is_formula else None


def is_total(label: str) -> bool:
    """Whether a label says that its number is the sum of those before."""
    return _TOTAL.search(label) is not None and _NOT_TOTAL.search(label) is None


def _totals(document: Document, body: list[list[Entry]], wrong: set[int]) -> Iterator[Finding]:
    """The row of totals against the parts above it, column by column."""
    start = 0
    for at, row in enumerate(body):
        label = row[0].text if row else ""
        if not is_total(label) or at < len(body) - 2:
            continue
        for column in range(1, len(row)):
            rows = [above for above in body[start:at] if not _NO_PART.search(above[0].text if above else "")]
            parts = [above[column] for above in rows if column < len(above)]
            yield from total_finding(document, parts, row[column], wrong)
        start = at + 1


def total_finding(document: Document, parts: list[Entry], total: Entry, wrong: set[int]) -> Iterator[Finding]:
    """One column: its parts are all numbers, and their sum is what the total says, or is not far from it.

    Nothing is said where a part, or the total itself, stands in a line that is wrong.
    """
    if any(document.place(entry.offsets[0])[0] in wrong for entry in (*parts, total)):
        return
    if len(parts) < 2 or not total.is_number or not all(part.is_number for part in parts):
        return
    sides = [part.side for part in parts if part.side is not None]
    value = sum((_value(side) for side in sides), Fraction(0))
    slack = sum((side.claim.resolution * _unit(side) for side in sides if side.claim is not None and not side.claim.full), Fraction(0)) / 2
    claim = total.side.claim if total.side is not None else None
    if claim is None or total.side is None:
        return
    found = judge_numbers(Computed(value, True), claim, loose=total.loose and not claim.full)
    off = abs(value - _value(total.side))
    if found.verdict == "wrong":
        if off <= slack + (0 if claim.full else claim.resolution * _unit(total.side)):
            return
        left_out = any(off == _value(side) for side in sides)
        if off > abs(value) / (2 if left_out else 10):
            return
        found = Ruling("wrong", "sum", f"the parts add up to {found.right}", found.right, relative_error=found.relative_error)
    yield _placed(document, total, total, f"the sum of {len(parts)} parts = {total.side}", "=", found)


def _value(side: Side) -> Fraction:
    return value_of(side.formula, UNIT_VALUES)


def _unit(side: Side) -> Fraction:
    return UNIT_VALUES.get(side.claim.unit, Fraction(1)) if side.claim is not None else Fraction(1)


def _finding(document: Document, computed: Entry, stated: Entry, found: Ruling) -> Finding:
    relation = "≈" if stated.loose else "="
    return _placed(document, computed, stated, f"{computed.side} {relation} {stated.side}", relation, found)


def _placed(document: Document, first: Entry, last: Entry, reads: str, relation: str, found: Ruling) -> Finding:
    start, end = min(first.offsets[0], last.offsets[0]), max(first.offsets[-1], last.offsets[-1])
    stated = str(last.side) if last.side is not None else None
    return placed(document, start, end, replace(found, stated=stated), reads, relation)
