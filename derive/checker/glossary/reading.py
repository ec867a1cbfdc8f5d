"""What a document's own words say, block by block."""

from __future__ import annotations

from collections.abc import Iterator

from derive.checker.glossary.lines.tokens import line_of
from derive.checker.glossary.patterns.definitions import definitions
from derive.checker.glossary.said import Evidence, Value
from derive.documents.document import Block, Document
from derive.records import dataclass

MOST_IN_ALL = 1_500_000
"""Characters of a document that are read for definitions."""


@dataclass(frozen=True, slots=True)
class Statements:
    """What a document says of its letters and of its sizes, each in reading order."""

    evidence: tuple[Evidence, ...]
    values: tuple[Value, ...]


def statements(document: Document) -> Statements:
    """Everything that the document's words say, read once."""
    said = tuple(_said(document))
    return Statements(
        tuple(each for each in said if isinstance(each, Evidence)),
        tuple(each for each in said if isinstance(each, Value)),
    )


def evidence(document: Document) -> tuple[Evidence, ...]:
    """What the document says about its letters, in reading order."""
    return statements(document).evidence


def _said(document: Document) -> Iterator[Evidence | Value]:
    seen: set[Evidence | Value] = set()
    left = MOST_IN_ALL
    for block in document.blocks:
        left -= _length(block)
        if left < 0:
            return
        for said in _in_block(block):
            if said not in seen:
                seen.add(said)
                yield said


def _in_block(block: Block) -> Iterator[Evidence | Value]:
    if block.kind == "table":
        from derive.checker.glossary.patterns.tables import said_in_table

        return said_in_table(block)
    if block.kind == "code":
        from derive.checker.glossary.patterns.listings import said_in_code

        return said_in_code(block)
    return definitions(line_of(block.pieces))


def _length(block: Block) -> int:
    if block.rows:
        return sum(len(piece.text) for row in block.rows for cell in row for piece in cell)
    return min(sum(len(piece.text) for piece in block.pieces), 60_000)
