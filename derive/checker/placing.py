"""Rulings → findings: where in the document they stand, and how the sides were read."""

from __future__ import annotations

import re
from typing import TypeAlias

from derive.checker.equations.equation import Equation
from derive.checker.finding import Finding, Ruling
from derive.documents.document import Document
from derive.formula.read import read_all
from derive.formula.statement import Side, Unread

Place: TypeAlias = tuple[int, int, int, int]
"""The line and the column where something begins, and those where it ends."""


def finding_at(place: Place, ruling: Ruling, text: str, reads_as: str = "", relation: str = "") -> Finding:
    """The ruling with its place."""
    line, column, end_line, end_column = place
    return Finding(
        verdict=ruling.verdict,
        code=ruling.code,
        message=ruling.message,
        right=ruling.right,
        stated=ruling.stated,
        residual=ruling.residual,
        assumptions=ruling.assumptions,
        dropped=ruling.dropped,
        relative_error=ruling.relative_error,
        computed=ruling.computed,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        text=text,
        reads_as=reads_as,
        relation=relation,
    )


def placed(document: Document, start: int, end: int, ruling: Ruling, reads_as: str = "", relation: str = "") -> Finding:
    """The ruling on what stands in the document from `start` to `end`."""
    return finding_at((*document.place(start), *document.place(end)), ruling, document.source[start:end], reads_as, relation)


def on_sides(document: Document, equation: Equation, left: Side, right: Side, relation: str, ruling: Ruling) -> Finding:
    """The ruling on two sides; it is shown at the second one where that is in another line."""
    start, second, end = equation.offsets[left.start], equation.offsets[right.start], equation.offsets[right.end]
    shown = second if document.place(second)[0] != document.place(start)[0] else start
    reads = f"{left} {relation} {right}" if relation else str(left)
    return finding_at((*document.place(shown), *document.place(end)), ruling, document.source[start:end], reads, relation)


def on_unread(document: Document, equation: Equation, unread: Unread) -> Finding | None:
    """A formula that could not be read; shapes and sets are no equations."""
    if _SHAPE.search(unread.text):
        return None
    last = len(equation.offsets) - 1
    line, column = document.place(equation.offsets[min(unread.at, last)])
    ruling = Ruling("unchecked", "unread", f"{unread.message} (line {line}, column {column})")
    return placed(document, equation.offsets[unread.start], equation.offsets[min(unread.end, last)], ruling)


_SHAPE = re.compile(
    r"\\mathbb|ℝ|\\in(?![A-Za-z])|∈|\\\{|matrix\}|\[[^\]=+*]{0,40},|@|\\top|\\odot|\\otimes|softmax|\\sigma\(|\\nabla|\\mathcal\{L\}"
)
r"""A text about shapes, sets or matrices: `W \in \mathbb{R}^{d \times d}`."""


def nothing_to_check(document: Document) -> Finding:
    """What to say of a formula that is no equation."""
    found = read_all(document.source)
    unread = next((each for each in found if isinstance(each, Unread)), None)
    reads = "" if unread or not found else "; ".join(str(each) for each in found)
    message = f"{unread.message} (column {unread.at + 1})" if unread else "there is no relation to check, as in 'P = 12Ld^2'"
    place = (1, 1 + (unread.at if unread else 0), 1, len(document.source.split("\n")[0]) + 1)
    return finding_at(place, Ruling("unchecked", "unread", message), document.source, reads)
