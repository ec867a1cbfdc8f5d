"""Plain text: paragraphs, bullets, columns; mathematics that people paste into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.documents.assembly import Assembly, Expand, as_is
from derive.documents.delimiters import Delimiters
from derive.documents.document import Block, BlockKind, Cell
from derive.documents.environments import displayed, of_environment
from derive.documents.lines import LONG, Line, indent, joined, lines_of
from derive.documents.placed import Placed, visible
from derive.documents.tables import cells_of

_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
_BULLET = re.compile(r"[ \t]*(?:[-*+•·‣–◦][ \t]+|\(?\d{1,3}[.)、][ \t]+|[（(]\d{1,2}[)）][ \t]*)")
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,})[ \t]*\Z")
_DRAWN = re.compile(r"[ \t]*[|+]?[-=+:|─┼═ \t]{3,}\Z")
_GAP = re.compile(r"\t+[ \t]*|[ ]{2,}\t*")
_SPECIAL = re.compile(r"[$\\]")
MOST = 200_000
"""A paragraph of more characters is taken as words."""


def read_plain(source: str, expand: Expand = as_is) -> tuple[Block, ...]:
    """The blocks of a plain text."""
    blocks: list[Block] = []
    lines = lines_of(source, 1 if source.startswith("\ufeff") else 0)
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and not lines[end].blank:
            end += 1
        if end > at:
            blocks += _paragraph(lines[at:end], expand)
        at = end + 1
    return tuple(blocks)


def _paragraph(lines: Sequence[Line], expand: Expand) -> list[Block]:
    """Lines without a blank one between them: tables, headings, items and text."""
    blocks: list[Block] = []
    tables = dict(_tables(lines))
    at = 0
    while at < len(lines):
        if at in tables:
            blocks.append(_table(lines[at : tables[at]], expand))
            at = tables[at]
            continue
        if _UNDERLINE.match(lines[at].text):
            at += 1
            continue
        kind, start = _kind(lines, at)
        end = at + 1
        while kind != "heading" and end < len(lines) and end not in tables and _continues(lines[end].text):
            end += 1
        blocks += _text(joined([lines[at].cut(start), *lines[at + 1 : end]]), kind, expand)
        at = end
    return blocks


def _kind(lines: Sequence[Line], at: int) -> tuple[BlockKind, int]:
    """What a line begins, and where its text does."""
    heading = _HEADING.match(lines[at].text)
    if heading:
        return "heading", heading.end()
    bullet = _BULLET.match(lines[at].text)
    if bullet:
        return "item", bullet.end()
    underlined = at == 0 and at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1].text)
    return ("heading" if underlined else "text"), 0


def _continues(text: str) -> bool:
    """Whether a line goes on with the block before it."""
    return not (_HEADING.match(text) or _BULLET.match(text) or _UNDERLINE.match(text))


def _text(text: Placed, kind: BlockKind, expand: Expand) -> list[Block]:
    into = Assembly(kind, expand)
    read_formulas(text, into)
    into.end()
    return into.blocks


def read_formulas(text: Placed, into: Assembly) -> None:
    """The words of a text and the formulas between dollars or LaTeX's brackets; a displayed one on its own line is a block."""
    if len(text.text) > MOST:
        into.words(text)
        return
    delimiters = Delimiters(text.text)
    done = at = 0
    while special := _SPECIAL.search(text.text, at):
        found = delimiters.at(special.start())
        if found is None:
            at = special.end() + (1 if special[0] == "\\" or text.text.startswith("$$", special.start()) else 0)
            continue
        into.words(text.part(done, found.start))
        inside = text.part(found.inside, found.inside_end)
        if found.environment:
            into.display(of_environment(text, found.environment))
        elif found.display and _alone(text.text, found.start, found.end):
            into.display(displayed(inside))
        else:
            into.math(displayed(inside) if found.display else visible(inside))
        done = at = found.end
    into.words(text.part(done))


def _alone(text: str, start: int, end: int) -> bool:
    """Whether nothing but a full stop stands beside a displayed formula."""
    before = text[max(text.rfind("\n", 0, start), start - 200, 0) : start]
    behind = re.compile(r"[ \t.,;]*(?=\n|\Z|\$\$)").match(text, end)
    return behind is not None and (not before.strip() or before.rstrip().endswith("$$"))


def _bars(line: Line) -> int:
    return line.text.count("|") + line.text.count("│")


def _columns(line: Line) -> int:
    """How many columns a line has where gaps part them; 0 for one that is no row."""
    text = line.text.strip()
    return len(_GAP.split(text)) if _GAP.search(text) and len(line.text) < 1000 else 0


def _tables(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Where tables begin and end: rows with as many bars, or with as many columns."""
    at = 0
    while at < len(lines):
        drawn_end, rows = _drawn_end(lines, at)
        if rows > 1:
            yield at, drawn_end
        end = drawn_end if rows > 1 else _columns_end(lines, at)
        if end - at > 1 and rows <= 1:
            yield at, end
        at = max(end, drawn_end if not rows else 0, at + 1)


def _drawn_end(lines: Sequence[Line], at: int) -> tuple[int, int]:
    """The line behind the rows that have as many bars as the first, with the lines drawn between; and how many rows they are."""
    end, rows, bars = at, 0, 0
    while end < len(lines) and len(lines[end].text) <= LONG:
        is_drawn = _DRAWN.match(lines[end].text)
        if not is_drawn:
            here = _bars(lines[end])
            if not here or (bars and here != bars):
                break
            rows, bars = rows + 1, here
        end += 1
    return end, rows


def _columns_end(lines: Sequence[Line], at: int) -> int:
    """The line behind the rows with as many columns as the first; `at` when they are too few to tell from text."""
    first = lines[at]
    columns = _columns(first)
    if columns < 2 or _BULLET.match(first.text) or "$" in first.text or indent(first.text) > 20:
        return at
    end = at
    while end < len(lines) and (_columns(lines[end]) == columns or (end > at and _DRAWN.match(lines[end].text))):
        end += 1
    return end if end - at > 1 and (columns > 2 or end - at > 2 or "\t" in first.text) else at


def _table(lines: Sequence[Line], expand: Expand) -> Block:
    """The block of a table."""
    drawn = [number for number, line in enumerate(lines) if _DRAWN.match(line.text)]
    rows = [line for line in lines if not _DRAWN.match(line.text)]
    first = next(number for number, line in enumerate(lines) if not _DRAWN.match(line.text))

    def cell(text: Placed) -> Cell:
        into = Assembly(expand=expand)
        read_formulas(text, into)
        return into.cell()

    cells = [cells_of(line) if "|" in line.text else _parted(line) for line in rows]
    return Block("table", rows=tuple(tuple(cell(text) for text in row) for row in cells), header=first + 1 in drawn)


def _parted(line: Line) -> list[Placed]:
    """The cells of a row that gaps (or drawn bars) part."""
    text = line.placed.strip(" \t│")
    pattern = re.compile("│") if "│" in text.text else _GAP
    parts, start = [], 0
    for gap in pattern.finditer(text.text):
        parts.append(text.part(start, gap.start()).strip())
        start = gap.end()
    return [*parts, text.part(start).strip()]
