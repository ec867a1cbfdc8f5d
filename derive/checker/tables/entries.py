"""What stands in a cell, or behind a label: one expression, with words around it or without."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from derive.checker.finding import Finding, Ruling
from derive.checker.placing import placed
from derive.documents.document import Cell, Document
from derive.formula.read import read_all
from derive.formula.statement import Claim, Side, Statement
from derive.records import dataclass

_ABOUT = re.compile(r"[~≈∼]|approx|about|约|\\sim|\\approx")
_ABOUT_BEFORE = re.compile(r"^(?:约|about |approx\.? )\s*")
_WORDS_IN_BRACKETS = re.compile(r"\s*[(（](?=[^\d)]*[)）]\s*$)")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell: its words, its expression where it has one, and the places of the expression's characters."""

    text: str
    side: Side | None = None
    offsets: Sequence[int] = (0, 0)

    @property
    def claim(self) -> Claim | None:
        """What the entry claims where it is one written number."""
        return self.side.claim if self.side is not None else None

    @property
    def is_number(self) -> bool:
        """Whether the entry is one written number."""
        return self.claim is not None

    @property
    def is_computation(self) -> bool:
        """Whether the entry is an expression in numbers alone that is not one number."""
        return self.side is not None and self.side.claim is None and set(self.side.formula.names) <= self.side.units

    @property
    def is_formula(self) -> bool:
        """Whether the entry is a formula with letters."""
        return self.side is not None and not set(self.side.formula.names) <= self.side.units

    @property
    def loose(self) -> bool:
        """Whether the number is said to be about right."""
        return _ABOUT.search(self.text) is not None


def entry_of(cell: Cell) -> Entry:
    """A cell read: its mathematics where that is one piece, else its words as an expression."""
    text = "".join(piece.text for piece in cell)
    mathematics = [piece for piece in cell if piece.kind == "math"]
    if len(mathematics) == 1:
        return Entry(text, expression(mathematics[0].text, plain=False), mathematics[0].offsets)
    offsets = [offset for piece in cell for offset in piece.offsets[: len(piece.text)]]
    offsets.append(cell[-1].offsets[-1] if cell else 0)
    stripped = _ABOUT_BEFORE.sub("", text.strip().strip("*`").lstrip("~≈∼ "))
    stripped = _WORDS_IN_BRACKETS.split(stripped)[0]
    at = text.find(stripped) if stripped else -1
    if at < 0 or len(stripped) > _LONGEST or not re.search(r"\d|[A-Za-z]", stripped):
        return Entry(text, offsets=offsets)
    return Entry(text, expression(stripped, plain=True), offsets[at : at + len(stripped) + 1])


def expression(text: str, *, plain: bool) -> Side | None:
    """The text as one expression, or as the number behind its relations; None where it is neither."""
    found = read_all(text, plain=plain)
    if len(found) == 1 and isinstance(found[0], Statement) and not found[0].labels:
        last = found[0].sides[-1]
        if not found[0].relations or last.claim is not None:
            return last
    return None


def on_entries(document: Document, first: Entry, last: Entry, reads_as: str, relation: str, ruling: Ruling) -> Finding:
    """The ruling on two entries of a row, the last of which is what is stated."""
    start, end = min(first.offsets[0], last.offsets[0]), max(first.offsets[-1], last.offsets[-1])
    return placed(document, start, end, replace(ruling, stated=str(last.side)), reads_as, relation)
