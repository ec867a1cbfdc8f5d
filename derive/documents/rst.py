"""reStructuredText: sections, paragraphs, lists, tables, literal blocks and directives; one rule for each kind of block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from derive.documents.assembly import Assembly, Expand, as_is, code_block
from derive.documents.document import Block, BlockKind, Cell, Comment
from derive.documents.environments import displayed
from derive.documents.lines import Line, dedent, indent, joined, lines_of, without_blank_ends
from derive.documents.placed import Placed
from derive.documents.rst_inline import read_inline
from derive.documents.rst_tables import grid_rows, is_grid, simple_rows, simple_table_end
from derive.documents.rules import DEEPEST, Rule, read_blocks
from derive.records import dataclass

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\Z")
_EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+|\Z)")
_DIRECTIVE = re.compile(r"(?:\|[^|\n]+\|[ \t]+)?([A-Za-z][\w:.+-]*)[ \t]*::(?:[ \t]+|\Z)")
_NOTE = re.compile(r"\[(?:#?[\w.-]*|\*)\](?:[ \t]+|\Z)")
_TARGET = re.compile(r"_[^\n]*:|__")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣][ \t]+|\(?(?:\d{1,4}|#|[A-Za-z]|[ivxlc]{1,6})[.)][ \t]+)(?=\S)")
_FIELD = re.compile(r"[ \t]*:[A-Za-z][^:\n]{0,80}:(?:[ \t]+|\Z)(?!`)")
_CODE = frozenset("code code-block sourcecode parsed-literal literalinclude highlight productionlist doctest testcode ipython".split())
_DROPPED = frozenset(
    "image toctree contents raw include csv-table bibliography graphviz plot autosummary automodule autoclass index meta".split()
)
_WITHOUT_TEXT = frozenset("figure list-table tab-item default-role role".split())


def read_rst(source: str, expand: Expand = as_is) -> tuple[tuple[Block, ...], tuple[Comment, ...]]:
    """The blocks and the comments of a reStructuredText source."""
    reader = Reader(expand)
    reader.read(lines_of(source, 1 if source.startswith("\ufeff") else 0), 0)
    return tuple(reader.blocks), tuple(reader.comments)


@dataclass(slots=True)
class Reader:
    """Reads lines into blocks; `item` says that the next paragraph is the first of a list item."""

    expand: Expand
    blocks: list[Block] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    item: bool = False

    def read(self, lines: Sequence[Line], depth: int) -> None:
        """The blocks of lines with the same indentation."""
        rules = _RULES if depth < DEEPEST else _RULES[-1:]
        read_blocks(self, lines, depth, lambda line: rules)

    def inline(self, text: Placed, kind: BlockKind) -> None:
        """A paragraph, heading or item."""
        into = Assembly(kind, self.expand)
        read_inline(text, into)
        into.end()
        self.blocks += into.blocks

    def cell(self, text: Placed) -> Cell:
        """A cell of a table."""
        into = Assembly(expand=self.expand)
        read_inline(text, into)
        return into.cell()

    def display(self, lines: Sequence[Line]) -> None:
        """A displayed formula."""
        into = Assembly(expand=self.expand)
        into.display(displayed(joined(lines)))
        self.blocks += into.blocks

    def code(self, lines: Sequence[Line], language: str = "") -> None:
        """A block of code without the indentation that all its lines have."""
        kept = without_blank_ends(lines)
        width = min((indent(line.text) for line in kept if not line.blank), default=0)
        if kept:
            self.blocks.append(code_block(joined([dedent(line, width) for line in kept]), language))


def indented_end(lines: Sequence[Line], at: int, width: int = 1) -> int:
    """The line behind those that are blank or indented by at least `width`; blank ones at their end are not counted."""
    end = kept = at
    while end < len(lines) and (lines[end].blank or indent(lines[end].text) >= width):
        end += 1
        kept = kept if lines[end - 1].blank else end
    return kept


def _dedented(lines: Sequence[Line]) -> list[Line]:
    """Without the indentation of the first line that is not blank."""
    width = next((indent(line.text) for line in lines if not line.blank), 0)
    return [dedent(line, width) for line in lines]


def _section(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """A title under, or between, lines of the same mark; a line of marks alone parts paragraphs."""
    first = lines[at].text
    if _ADORNMENT.match(first):
        if at + 2 < len(lines) and lines[at + 2].text.strip() == first.strip() and not lines[at + 1].blank:
            reader.inline(lines[at + 1].placed.strip(), "heading")
            return at + 3
        return at + 1 if (at + 1 >= len(lines) or lines[at + 1].blank) else 0
    if indent(first) == 0 and at + 1 < len(lines) and _ADORNMENT.match(lines[at + 1].text) and not first.rstrip().endswith("::"):
        reader.inline(lines[at].placed.strip(), "heading")
        return at + 2
    return 0


def _explicit(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """What begins with two dots: a directive, a note, where a link leads, else a comment."""
    mark = _EXPLICIT.match(lines[at].text)
    if not mark:
        return 0
    width = indent(lines[at].text) + 1
    end = max(indented_end(lines, at + 1, width), at + 1)
    rest = lines[at].cut(mark.end())
    body = lines[at + 1 : end]
    directive = _DIRECTIVE.match(rest.text)
    note = _NOTE.match(rest.text)
    if directive:
        _directive(reader, directive[1].rpartition(":")[2].lower(), rest.cut(directive.end()), body, depth)
    elif note:
        reader.read([rest.cut(note.end()), *_dedented(body)], depth + 1)
    elif not _TARGET.match(rest.text):
        text = "\n".join(line.text.strip() for line in (rest, *body)).strip()
        reader.comments.append(Comment(text, lines[at].at + len(lines[at].text) - len(lines[at].text.lstrip())))
    return end


def _directive(reader: Reader, name: str, argument: Line, body: Sequence[Line], depth: int) -> None:
    start = 0
    while start < len(body) and _OPTION.match(body[start].text):
        start += 1
    inside = _dedented(body[start:])
    if name == "math":
        lines = [argument, *inside] if argument.text.strip() else inside
        for formula in _formulas(lines):
            reader.display(formula)
    elif name in _CODE:
        reader.code(inside, argument.text.strip().lower())
    elif name not in _DROPPED:
        is_text = argument.text.strip() and name not in _WITHOUT_TEXT
        reader.read([argument, *inside] if is_text else inside, depth + 1)


def _formulas(lines: Sequence[Line]) -> list[Sequence[Line]]:
    """The formulas of a directive: blank lines part them, but not within an environment."""
    found: list[Sequence[Line]] = []
    start = opened = 0
    for number, line in enumerate((*lines, Line("", 0, 0))):
        opened += line.text.count(r"\begin{") - line.text.count(r"\end{")
        if (line.blank and opened <= 0) or number == len(lines):
            kept = without_blank_ends(lines[start:number])
            found += [kept] if kept else []
            start = number
    return found


def _item(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    mark = _BULLET.match(lines[at].text)
    if not mark or not _is_list(lines, at):
        return 0
    width = indent(lines[at].text) + len(mark[0].lstrip())
    end = max(indented_end(lines, at + 1, min(width, indent(lines[at].text) + 2)), at + 1)
    reader.item = True
    reader.read([lines[at].cut(mark.end()), *(dedent(line, width) for line in lines[at + 1 : end])], depth + 1)
    reader.item = False
    return end


def _is_list(lines: Sequence[Line], at: int) -> bool:
    """Whether a line that looks like an item is one: its second line is indented, blank, or an item too."""
    if at + 1 >= len(lines) or lines[at + 1].blank:
        return True
    following = lines[at + 1].text
    return indent(following) > indent(lines[at].text) or bool(_BULLET.match(following))


def _table(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """A grid table, or a simple one."""
    end = at
    if is_grid(lines[at].text):
        while end < len(lines) and lines[end].text.lstrip()[:1] in ("+", "|") and not lines[end].blank:
            end += 1
        rows, header = grid_rows(lines[at:end])
    else:
        end = simple_table_end(lines, at)
        rows, header = simple_rows(lines[at:end])
    if rows:
        reader.blocks.append(Block("table", rows=tuple(tuple(reader.cell(text) for text in row) for row in rows), header=header))
    return end if rows else 0


def _indented(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """A quote: its lines without their indentation."""
    width = indent(lines[at].text)
    if not width:
        return 0
    end = max(indented_end(lines, at, width), at + 1)
    reader.read([dedent(line, width) for line in lines[at:end]], depth + 1)
    return end


def _doctest(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    if not lines[at].text.startswith(">>>"):
        return 0
    end = at
    while end < len(lines) and not lines[end].blank:
        end += 1
    reader.code(lines[at:end], "python")
    return end


def _paragraph(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """Lines up to a blank one; after two colons at its end, indented lines are code."""
    kind: BlockKind = "item" if reader.item else "text"
    reader.item = False
    end = at + 1
    while end < len(lines) and not lines[end].blank and not (indent(lines[end].text) == 0 and _EXPLICIT.match(lines[end].text)):
        if _FIELD.match(lines[end].text) and _FIELD.match(lines[at].text):
            break
        end += 1
    text = joined(lines[at:end])
    literal = text.text.rstrip().endswith("::")
    if literal:
        size = len(text.text.rstrip())
        text = text.part(0, size - 2 if text.text[: size - 2].rstrip() != text.text[: size - 2] else size - 1)
    found = _FIELD.match(text.text)
    reader.inline(text.part(found.end()) if found else text, kind)
    if not literal:
        return end
    behind = indented_end(lines, end, indent(lines[at].text) + 1)
    reader.code(lines[end:behind])
    return max(behind, end)


_RULES: tuple[Rule[Reader], ...] = (_explicit, _table, _section, _doctest, _item, _indented, _paragraph)
