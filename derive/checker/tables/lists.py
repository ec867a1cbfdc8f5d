"""Lists of parts with a total: items of a list, and lines of a block of code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checker.equations.equation import Equation
from derive.checker.finding import Finding
from derive.checker.tables.entries import Entry, expression
from derive.checker.tables.totals import is_total, total_finding
from derive.documents.document import Block, Document
from derive.formula.statement import Statement
from derive.formula.tree import Name

_MOST_LINES = 400
_LABELLED = re.compile(r"^(?P<label>[^:：=≈]{0,80})[:：=≈](?:.{0,200}[=≈])?(?P<value>[^:：=≈]{1,60})$")
_PLAIN = frozenset(("", "text", "txt", "plain", "plaintext"))


def sum_findings(document: Document, wrong: set[int]) -> Iterator[Finding]:
    """The totals of lists and of lines of code against their parts."""
    group: list[tuple[str, Entry]] = []
    for block in document.blocks:
        if block.kind == "item":
            yield from _next(document, group, _line(*_text(block)), wrong)
            continue
        group.clear()
        if block.kind == "code" and block.language.lower() in _PLAIN:
            yield from _lines(document, block, wrong)


def displayed_sums(document: Document, found: Sequence[Equation], wrong: set[int]) -> Iterator[Finding]:
    """Rows of one display: `weights &= 14 GB`, `cache &= 1.2 GB`, `total &= 15.2 GB`."""
    group: list[tuple[str, Entry]] = []
    block = -1
    for equation in found:
        if equation.block != block or equation.kind != "math":
            group, block = [], equation.block
        statement = equation.statement
        if isinstance(statement, Statement) and statement.relations and isinstance(statement.sides[0].formula, Name):
            name, side = statement.sides[0].formula.name, statement.sides[-1]
            places = equation.offsets[side.start : side.end + 1]
            label = statement.labels.get(name, name)
            yield from _next(document, group, (label, Entry(statement.text, side, places)), wrong)


def _lines(document: Document, block: Block, wrong: set[int]) -> Iterator[Finding]:
    group: list[tuple[str, Entry]] = []
    for piece in block.pieces:
        start = 0
        for line in piece.text.split("\n")[:_MOST_LINES]:
            if line.strip():
                yield from _next(document, group, _line(line, piece.offsets[start : start + len(line) + 1]), wrong)
            else:
                group.clear()
            start += len(line) + 1


def _text(block: Block) -> tuple[str, list[int]]:
    """The words and the mathematics of a block as one text, mathematics in braces' place."""
    text = "".join(piece.text for piece in block.pieces)
    offsets = [offset for piece in block.pieces for offset in piece.offsets[: len(piece.text)]]
    return text, [*offsets, block.pieces[-1].offsets[-1] if block.pieces else 0]


def _line(text: str, offsets: Sequence[int]) -> tuple[str, Entry] | None:
    """A label and its number; None for a line of another form."""
    match = _LABELLED.match(text.rstrip(" .;,。；，\n"))
    if match is None:
        return None
    value = match.group("value").strip().strip("*").lstrip("~≈ ")
    at = text.rfind(value)
    return match.group("label"), Entry(text, expression(value, plain=True), offsets[at : at + len(value) + 1])


def _next(document: Document, group: list[tuple[str, Entry]], line: tuple[str, Entry] | None, wrong: set[int]) -> Iterator[Finding]:
    """One line more: a part, or the total of those before."""
    if line is None or not line[1].is_number:
        group.clear()
        return
    label, entry = line
    if is_total(label):
        if not re.search(r"\d\s*[-+*×·]", entry.text):  # a total with its own sum is judged by that
            yield from total_finding(document, _own_parts([part for _, part in group]), entry, wrong)
        group.clear()
    else:
        group.append(line)


def _own_parts(parts: list[Entry]) -> list[Entry]:
    """The parts that no later one is computed from: "per layer: 12,596,224" before "24 layers: 24 × 12,596,224"."""
    return [part for at, part in enumerate(parts) if not any(_last_number(part) in later.text for later in parts[at + 1 :])]


def _last_number(part: Entry) -> str:
    found = re.findall(r"\d[\d,.]*\d|\d", part.text)
    return found[-1] if found and len(found[-1]) > 2 else part.text
