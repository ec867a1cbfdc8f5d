"""Markdown as people write it (CommonMark, GitHub, kramdown, Hugo, MyST, Quarto): one rule for each kind of block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from derive.documents.assembly import Assembly, Expand, as_is, code_block
from derive.documents.document import Block, BlockKind, Cell, Comment
from derive.documents.environments import displayed, of_environment
from derive.documents.fences import Fence, fence_at, language_of
from derive.documents.hidden import hide
from derive.documents.lines import LONG, Line, dedent, indent, joined, lines_of, unmasked, without_blank_ends
from derive.documents.markdown_inline import in_markdown, read_inline
from derive.documents.math_blocks import math_block
from derive.documents.placed import Placed, visible
from derive.documents.rules import DEEPEST, Rule, read_blocks
from derive.documents.tables import is_table, read_table
from derive.records import dataclass

_HEADING = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]+|(?=[^\x00-\x7f#])|$)")
_HEADING_END = re.compile(r"(?:[ \t]+#+)?[ \t]*(?:\{[^{}]{0,300}\})?[ \t]*\Z")
_RULE = re.compile(r"[ ]{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_UNDERLINE = re.compile(r"[ ]{0,3}(?:={2,}|-{2,}|-)[ \t]*\Z")
_QUOTE = re.compile(r"[ ]{0,3}>[ ]?")
_CALLOUT = re.compile(r"[ \t]*\[![A-Za-z]+\][+-]?[ \t]*")
_ITEM = re.compile(r"([ \t]*)([-*+]|(\d{1,9})[.)])([ \t]+|\Z)")
_BOX = re.compile(r"\[[ xX]\][ \t]+")
_ADMONITION = re.compile(r"[ ]{0,3}(?:!!!|\?\?\?\+?|===\+?!?)[ \t]+(?:[\w-]+[ \t]*)*(?:\"([^\"]*)\")?[ \t]*\Z")
_DIV = re.compile(r"[ \t]*:{3,}")
_DEFINITION = re.compile(r"[ ]{0,3}\[([^\]\[]{1,500})\]:[ \t]*\S")
_NOTE = re.compile(r"[ ]{0,3}\[\^[^\]\s]{1,200}\]:[ \t]*")
_HTML_BLOCK = re.compile(r"[ ]{0,3}<(table|pre)\b", re.IGNORECASE)
_TAG_LINE = re.compile(r"[ \t]*(?:</?[A-Za-z][^<>]{0,500}>[ \t]*)+\Z")


def read_markdown(source: str, expand: Expand = as_is) -> tuple[tuple[Block, ...], tuple[Comment, ...]]:
    """The blocks and the comments of a Markdown source."""
    shown, comments = hide(source)
    lines = lines_of(shown)
    links = frozenset(found[1].lower() for line in lines if (found := _DEFINITION.match(line.text)))
    reader = Reader(source, links, expand)
    reader.read(lines, 0)
    return tuple(reader.blocks), comments


@dataclass(slots=True)
class Reader:
    """Reads lines into blocks.

    `item` says that the next paragraph is the first of a list item; `unclosed` has the tags whose end was looked for in vain.
    """

    source: str
    links: frozenset[str]
    expand: Expand
    blocks: list[Block] = field(default_factory=list)
    item: bool = False
    unclosed: set[tuple[int, str]] = field(default_factory=set)

    def read(self, lines: Sequence[Line], depth: int) -> None:
        """The blocks of lines that stand in the same quote or item."""
        self.unclosed = {(at, name) for at, name in self.unclosed if at != depth}
        rules = _RULES if depth < DEEPEST else _RULES[-1:]
        read_blocks(self, lines, depth, lambda line: rules if len(line.text) <= LONG else _RULES[-1:])

    def inline(self, text: Placed, kind: BlockKind) -> None:
        """A paragraph, heading or item: its text, and the displayed formulas between."""
        into = Assembly(kind, self.expand)
        if len(text.text) > LONG and "\n" not in text.text:
            into.words(text)
        else:
            read_inline(text, into, self.links)
        into.end()
        self.blocks += into.blocks

    def cell(self, text: Placed) -> Cell:
        """A cell of a table."""
        into = Assembly(expand=self.expand)
        read_inline(text, into, self.links)
        return into.cell()

    def display(self, content: Placed) -> None:
        """A displayed formula; what is inside of it may be an environment."""
        shown = self.expand(displayed(visible(content))).strip()
        if shown.text:
            into = Assembly("display")
            into.math(shown)
            into.end()
            self.blocks += into.blocks
        self.item = False

    def code(self, lines: Sequence[Line], language: str = "") -> None:
        """A block of code, with nothing of it hidden."""
        self.blocks.append(code_block(joined(unmasked(lines, self.source)), language))
        self.item = False


def _heading(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    line = lines[at]
    mark = _HEADING.match(line.text)
    if not mark:
        return 0
    end = _HEADING_END.search(line.text, mark.end())
    reader.inline(line.until(end.start() if end else len(line.text)).cut(mark.end()).placed, "heading")
    return at + 1


def _fence(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    fence = fence_at(lines[at].text)
    if not fence:
        return 0
    end = at + 1
    while end < len(lines) and not fence.ends_at(lines[end].text):
        end += 1
    inside = [dedent(line, fence.indent) for line in lines[at + 1 : end]]
    _fenced(reader, fence, inside, depth)
    return min(end + 1, len(lines))


def _fenced(reader: Reader, fence: Fence, inside: Sequence[Line], depth: int) -> None:
    """What a fence holds: mathematics, a note to read as Markdown, or code."""
    body = fence.body(inside)
    if fence.is_math:
        reader.display(in_markdown(joined(body)))
    elif fence.is_note:
        reader.read(body, depth + 1)
    elif not fence.is_dropped:
        reader.code(body, language_of(fence.info))


def _math(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    found = math_block(lines, at)
    if not found:
        return 0
    text = joined(lines[at : found.behind])
    if found.environment:
        reader.display(in_markdown(of_environment(text, found.environment)))
    else:
        reader.display(in_markdown(text.part(found.inside, found.inside_end), found.escaped))
    return found.behind


def _quote(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    if not _QUOTE.match(lines[at].text):
        return 0
    inside: list[Line] = []
    end = at
    while end < len(lines):
        mark = _QUOTE.match(lines[end].text)
        if mark:
            line = lines[end].cut(mark.end())
            callout = _CALLOUT.match(line.text) if not inside else None
            inside.append(line.cut(callout.end()) if callout else line)
        elif lines[end].blank or not inside or inside[-1].blank or begins_block(lines, end):
            break
        else:
            inside.append(lines[end])
        end += 1
    reader.read(inside, depth + 1)
    return end


def _item(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    mark = _ITEM.match(lines[at].text)
    if not mark or _RULE.match(lines[at].text) or (indent(lines[at].text) > 3 and depth == 0 and not reader.blocks):
        return 0
    content = lines[at].cut(mark.end())
    box = _BOX.match(content.text)
    content = content.cut(box.end()) if box else content
    width = indent(mark[1]) + len(mark[2]) + (min(indent(mark[4]), 4) if content.text else 1)
    end = _item_end(lines, at, content, width)
    reader.item = True
    reader.read([content, *(dedent(line, width) for line in lines[at + 1 : end])], depth + 1)
    reader.item = False
    return end


def _item_end(lines: Sequence[Line], at: int, content: Line, width: int) -> int:
    """The line behind a list item: indented lines are its own, and so is the rest of its last paragraph."""
    fence = fence_at(content.text)
    is_open = content.text.count("$$") % 2 == 1
    end = kept = at + 1
    after_blank = not content.text
    while end < len(lines):
        line = lines[end]
        if line.blank:
            after_blank, end = True, end + 1
            continue
        inside = indent(line.text) >= width
        if not inside and not is_open and (fence or after_blank or begins_block(lines, end) or _ITEM.match(line.text)):
            break
        if fence and fence.ends_at(dedent(line, width).text):
            fence = None
        elif not fence and inside:
            fence = fence_at(dedent(line, width).text)
        if not fence and "$$" in line.text:
            is_open ^= line.text.count("$$") % 2 == 1
        after_blank = False
        end += 1
        kept = end
    return kept


def _admonition(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    mark = _ADMONITION.match(lines[at].text)
    if not mark:
        return 0
    end = at + 1
    while end < len(lines) and (lines[end].blank or indent(lines[end].text) >= 4):
        end += 1
    if mark[1]:
        reader.inline(lines[at].until(mark.end(1)).cut(mark.start(1)).placed, "text")
    reader.read([dedent(line, 4) for line in lines[at + 1 : end]], depth + 1)
    return end


def _left_out(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """Lines that only structure the page: rules, the marks of a `:::` block, where links lead."""
    text = lines[at].text
    note = _NOTE.match(text)
    if note:
        reader.read([lines[at].cut(note.end())], depth + 1)
        return at + 1
    return at + 1 if _RULE.match(text) or _DIV.match(text) or _DEFINITION.match(text) else 0


def _table(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    if not is_table(lines, at):
        return 0
    end = at + 2
    while end < len(lines) and not lines[end].blank and not begins_block(lines, end):
        end += 1
    reader.blocks.append(read_table(lines[at:end], reader.cell))
    return end


def _html(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """A table or a `<pre>`, up to its end tag."""
    mark = _HTML_BLOCK.match(lines[at].text)
    if not mark or (depth, mark[1].lower()) in reader.unclosed:
        return 0
    end = at
    while end < len(lines) and f"</{mark[1].lower()}" not in lines[end].text.lower():
        end += 1
    if end == len(lines):
        reader.unclosed.add((depth, mark[1].lower()))
        return 0
    if mark[1].lower() == "table":
        from derive.documents.html import table as html_table

        table = html_table(joined(lines[at : end + 1]), reader.cell)
        reader.blocks += [table] if table else []
    else:
        reader.code([line for line in lines[at : end + 1] if not _TAG_LINE.match(line.text)])
    return end + 1


def _indented(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    if indent(lines[at].text) < 4:
        return 0
    end = at
    while end < len(lines) and (lines[end].blank or indent(lines[end].text) >= 4):
        end += 1
    inside = without_blank_ends(lines[at:end])
    reader.code([dedent(line, 4) for line in inside])
    return at + len(inside)


def _paragraph(reader: Reader, lines: Sequence[Line], at: int, depth: int) -> int:
    """Lines up to a blank one or the next block; underlined ones are a heading."""
    kind: BlockKind = "item" if reader.item else "text"
    reader.item = False
    end, is_open = at + 1, lines[at].text.count("$$") % 2 == 1
    while end < len(lines) and not lines[end].blank:
        text = lines[end].text
        if not is_open and _UNDERLINE.match(text) and not (text.strip() == "-" and end + 1 < len(lines)):
            reader.inline(joined(lines[at:end]), "heading")
            return end + 1
        if not is_open and begins_block(lines, end):
            break
        is_open ^= text.count("$$") % 2 == 1
        end += 1
    reader.inline(joined(lines[at:end]), kind)
    return end


def begins_block(lines: Sequence[Line], at: int) -> bool:
    """Whether a line ends the paragraph before it."""
    text = lines[at].text
    first = text.lstrip(" \t")[:1]
    if first not in "#`~>-*+_0123456789!?:$\\<=|" and "|" not in text:
        return False
    if _HEADING.match(text) or fence_at(text) or _QUOTE.match(text) or _RULE.match(text) or _DIV.match(text) or _ADMONITION.match(text):
        return True
    mark = _ITEM.match(text)
    if mark and mark[4] and (mark[3] is None or mark[3] == "1"):
        return True
    return bool(_HTML_BLOCK.match(text) or _TAG_LINE.match(text)) or is_table(lines, at) or math_block(lines, at) is not None


_RULES: tuple[Rule[Reader], ...] = (
    _math, _heading, _fence, _left_out, _quote, _item, _admonition, _table, _html, _indented, _paragraph,
)  # fmt: skip
