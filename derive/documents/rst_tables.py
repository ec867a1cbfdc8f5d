"""The tables of reStructuredText, drawn as a grid or with lines of `=` above and below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from derive.documents.lines import Line
from derive.documents.placed import Placed, instead, join

Rows = list[list[Placed]]

_GRID = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*\Z")
_SIMPLE = re.compile(r"[ \t]*=+(?:[ \t]+=+)+[ \t]*\Z")
_BELOW = re.compile(r"[ \t]*-+(?:[ \t]+-+)*[ \t]*\Z")


def is_grid(text: str) -> bool:
    """Whether a line is one of a grid."""
    return bool(_GRID.match(text))


def grid_rows(lines: Sequence[Line]) -> tuple[Rows, bool]:
    """The rows of a grid table, and whether the first is a header; cells over several lines keep their line ends."""
    rows: Rows = []
    header = False
    pending: list[Line] = []
    for line in lines:
        if not is_grid(line.text):
            pending.append(line)
            continue
        if pending:
            rows.append(_stacked([_bars(one) for one in pending]))
            header = header or (len(rows) == 1 and "=" in line.text)
        pending = []
    return rows, header


def _bars(line: Line) -> list[Placed]:
    text = line.placed.strip(" \t")
    places = [match.start() for match in re.finditer(r"(?<!\\)\|", text.text)]
    return [text.part(start + 1, end).strip() for start, end in pairwise(places)]


def _stacked(lines: list[list[Placed]]) -> list[Placed]:
    """The cells of a row from those of its lines."""
    width = max((len(line) for line in lines), default=0)
    cells = []
    for column in range(width):
        parts: list[Placed] = []
        for cell in (line[column] for line in lines if column < len(line) and line[column].text):
            if parts:
                parts.append(instead("\n", parts[-1].offsets[-1], parts[-1].offsets[-1]))
            parts.append(cell)
        cells.append(join(parts) if parts else Placed("", (lines[0][0].offsets[0] if lines[0] else 0,)))
    return cells


def simple_table_end(lines: Sequence[Line], at: int) -> int:
    """The line behind a simple table that begins here; `at` when none does."""
    if not _SIMPLE.match(lines[at].text):
        return at
    end, seen = at + 1, 1
    while end < len(lines):
        if _SIMPLE.match(lines[end].text):
            seen += 1
            if end + 1 >= len(lines) or lines[end + 1].blank or seen == 3:
                return end + 1
        end += 1
    return at


def simple_rows(lines: Sequence[Line]) -> tuple[Rows, bool]:
    """The rows of a simple table by the columns of its first line; a row without a first cell goes on with the one before."""
    if not lines:
        return [], False
    starts = [match.start() for match in re.finditer(r"=+", lines[0].text)]
    ends = [*starts[1:], None]
    rows: list[list[list[Placed]]] = []
    header = False
    for number, line in enumerate(lines[1:], 1):
        if _SIMPLE.match(line.text):
            header = header or (number < len(lines) - 1 and len(rows) > 0)
        elif not line.blank and not _BELOW.match(line.text):
            text = line.placed
            cells = [text.part(min(start, len(text.text)), end).strip() for start, end in zip(starts, ends, strict=True)]
            if rows and not cells[0].text:
                rows[-1].append(cells)
            else:
                rows.append([cells])
    return [_stacked(found) for found in rows], header
