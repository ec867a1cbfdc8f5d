"""What a line defines: "where h is the hidden size", "$L$ layers", "词表大小为 V", "hidden size of 4096".

Each pattern is a short run of items, so that what a text says between the lines is not guessed at.
"""

from __future__ import annotations

from collections.abc import Iterator

from derive.checker.glossary.lines.tokens import Line
from derive.checker.glossary.patterns.clause import Clause, Found
from derive.checker.glossary.patterns.letters import read_letter
from derive.checker.glossary.patterns.sizes import read_number, read_wording
from derive.checker.glossary.said import Evidence, Value


def definitions(line: Line) -> Iterator[Evidence | Value]:
    """What `line` says, in reading order; every item takes part in one definition at most."""
    clause = Clause(line)
    at = 0
    while at < len(clause.items):
        found = _read(clause, at)
        if found is not None:
            yield from found.said
        at = max(at + 1, found.end) if found else at + 1


def _read(clause: Clause, at: int) -> Found | None:
    item = clause.at(at)
    if item.kind == "name":
        return read_letter(clause, at)
    if item.wording is not None:
        return read_wording(clause, at, item.wording)
    return read_number(clause, at) if item.kind == "number" else None
