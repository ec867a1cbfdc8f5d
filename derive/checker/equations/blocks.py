"""A document → its equations, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.checker.equations.equation import Equation
from derive.checker.equations.mathematics import in_mathematics
from derive.checker.equations.paragraphs import in_paragraph
from derive.documents.document import Document
from derive.formula.statement import Unread


def equations(document: Document) -> Iterator[Equation]:
    """Every statement of the document with at least one relation, and every bare expression in mathematics."""
    before: Equation | None = None
    for number, block in enumerate(document.blocks):
        if block.kind == "display":
            for piece in block.pieces:
                for equation in in_mathematics(piece, _words_before(document, number), "", number):
                    yield (equation := _after(before, equation))
                    before = equation
        elif block.kind == "code":
            from derive.checker.equations.programs import in_code

            yield from in_code(block, number)
        elif block.kind == "table":
            for row in block.rows:
                for cell in row:
                    yield from (each for each in in_paragraph(cell, number, "cell") if each.statement.has_relation)
        else:
            yield from in_paragraph(block.pieces, number, "words")


def _after(before: Equation | None, equation: Equation) -> Equation:
    """A display that begins with a relation goes on with the display before it: its last side is the first here."""
    statement = equation.statement
    if before is None or isinstance(statement, Unread) or isinstance(before.statement, Unread) or not statement.leading:
        return equation
    if equation.block - before.block > 2:
        return equation
    shift = len(before.offsets)
    sides = tuple(replace(side, start=side.start + shift, end=side.end + shift) for side in statement.sides)
    whole = replace(
        statement,
        sides=(before.statement.sides[-1], *sides),
        relations=(statement.leading, *statement.relations),
        units=statement.units | before.statement.units,
        leading="",
        alternatives=(),
    )
    return replace(equation, statement=whole, offsets=[*before.offsets, *equation.offsets])


def _words_before(document: Document, number: int) -> str:
    """The end of the paragraph before a display, which often says what is displayed."""
    for block in reversed(document.blocks[max(0, number - 2) : number]):
        if block.kind in ("text", "item", "heading"):
            return "".join(piece.text for piece in block.pieces)[-200:]
    return ""
