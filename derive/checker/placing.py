"""Rulings → findings: where in the document they stand, and how the sides were read."""

from __future__ import annotations

import re

from derive.checker.equations import Equation
from derive.checker.finding import Finding
from derive.checker.ruling import Ruling
from derive.documents.document import Document
from derive.formula.read import read_all
from derive.formula.statement import Side, Unread


def nothing_to_check(document: Document) -> Finding:
    """What to say of a formula that is no equation."""
    found = read_all(document.source)
    unread = next((each for each in found if isinstance(each, Unread)), None)
    reads = "" if unread or not found else "; ".join(str(each) for each in found)
    message = f"{unread.message} (column {unread.at + 1})" if unread else "there is no relation to check, as in 'P = 12Ld^2'"
    return Finding(
        line=1,
        column=1 + (unread.at if unread else 0),
        end_line=1,
        end_column=len(document.source.split("\n")[0]) + 1,
        text=document.source,
        reads_as=reads,
        relation="",
        verdict="unchecked",
        code="unread",
        message=message,
    )


def unread_finding(document: Document, equation: Equation, unread: Unread) -> Finding | None:
    """A formula that could not be read; shapes and sets are no equations."""
    if is_shape(unread.text):
        return None
    start, end = equation.offsets[unread.start], equation.offsets[min(unread.end, len(equation.offsets) - 1)]
    line, column = document.place(start)
    end_line, end_column = document.place(end)
    at_line, at_column = document.place(equation.offsets[min(unread.at, len(equation.offsets) - 1)])
    message = f"{unread.message} (line {at_line}, column {at_column})"
    return Finding(
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        text=document.source[start:end],
        reads_as="",
        relation="",
        verdict="unchecked",
        code="unread",
        message=message,
    )


_SHAPE = re.compile(
    r"\\mathbb|ℝ|\\in(?![A-Za-z])|∈|\\\{|matrix\}|\[[^\]=+*]{0,40},|@|\\top|\\odot|\\otimes|softmax|\\sigma\(|\\nabla|\\mathcal\{L\}"
)


def is_shape(text: str) -> bool:
    r"""Whether a text is about shapes, sets or matrices: `W \in \mathbb{R}^{d \times d}`."""
    return _SHAPE.search(text) is not None


def placed_finding(document: Document, equation: Equation, left: Side, right: Side, relation: str, ruling: Ruling) -> Finding:
    start, end = equation.offsets[left.start], equation.offsets[right.end]
    line, column = document.place(start)
    end_line, end_column = document.place(end)
    shown = equation.offsets[right.start] if document.place(equation.offsets[right.start])[0] != line else start
    line, column = document.place(shown)
    reads = f"{left} {relation} {right}" if relation else str(left)
    return Finding(
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        text=document.source[start:end],
        reads_as=reads,
        relation=relation,
        verdict=ruling.verdict,
        code=ruling.code,
        message=ruling.message,
        stated=ruling.stated,
        right=ruling.right,
        residual=ruling.residual,
        assumptions=ruling.assumptions,
        dropped=ruling.dropped,
        relative_error=ruling.relative_error,
    )
