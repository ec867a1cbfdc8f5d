"""Tables drawn with `|`: rows of cells, as GitHub reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from derive.documents.document import Block, Cell
from derive.documents.lines import Line
from derive.documents.placed import Placed, join

DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_BAR = re.compile(r"\\[\s\S]|\|")
_BAR_OR_MATH = re.compile(r"\\[\s\S]|\$(?=\S)[^$\n]*?(?<=\S)\$(?!\d)|`[^`]*`|\|")


def cells_of(line: Line, columns: int | None = None) -> list[Placed]:
    """The cells of a row. A bar separates wherever it stands, unless that gives too many: then `$|x|$` holds its bars."""
    cells = _split(line, _BAR)
    if columns is not None and len(cells) > columns:
        whole = _split(line, _BAR_OR_MATH)
        cells = whole if len(whole) == columns else cells[:columns]
    return cells


def is_table(lines: Sequence[Line], at: int) -> bool:
    """Whether a row and a row of dashes with as many columns begin here."""
    if at + 1 >= len(lines) or "|" not in lines[at].text + lines[at + 1].text or not DELIMITER.match(lines[at + 1].text):
        return False
    if "-" not in lines[at + 1].text or "|" not in lines[at].text:
        return False
    columns = len(cells_of(lines[at + 1]))
    return len(cells_of(lines[at], columns)) == columns


def read_table(lines: Sequence[Line], cell: Callable[[Placed], Cell]) -> Block:
    """The block of a table whose second line is its row of dashes."""
    columns = len(cells_of(lines[1]))
    rows = [cells_of(line, columns) for line in (lines[0], *lines[2:])]
    return Block("table", rows=tuple(tuple(cell(found) for found in row) for row in rows), header=True)


def _split(line: Line, pattern: re.Pattern[str]) -> list[Placed]:
    text = line.placed.strip(" \t\x00")
    start = 1 if text.text.startswith("|") else 0
    cells: list[Placed] = []
    for bar in pattern.finditer(text.text, start):
        if bar[0] == "|":
            cells.append(_cell(text.part(start, bar.start())))
            start = bar.end()
    if text.text[start:].strip() or not cells:
        cells.append(_cell(text.part(start)))
    return cells


def _cell(text: Placed) -> Placed:
    r"""A cell without blanks around it; `\|` is a bar."""
    text = text.strip()
    if r"\|" not in text.text:
        return text
    parts, start = [], 0
    while (at := text.text.find(r"\|", start)) >= 0:
        parts += [text.part(start, at), text.part(at + 1, at + 2)]
        start = at + 2
    return join((*parts, text.part(start)))
