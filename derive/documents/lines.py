"""The lines of a source, and what block readers do with them: indentation, cutting a prefix, joining to a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from derive.documents.placed import MASK, Placed, join, whole

BLANKS = " \t\r\f\v" + MASK
LONG = 100_000
"""Lines beyond this many characters are words: nobody wrote them."""


class Line(NamedTuple):
    """A line, perhaps without the prefix of its quote or item; `at` is its place and `end` that of its line end."""

    text: str
    at: int
    end: int

    @property
    def blank(self) -> bool:
        """Whether a reader sees nothing in it."""
        return not self.text or not self.text.strip(BLANKS)

    def cut(self, count: int) -> Line:
        """Without its first `count` characters."""
        return Line(self.text[count:], self.at + count, self.end)

    def until(self, count: int) -> Line:
        """Only its first `count` characters."""
        return Line(self.text[:count], self.at, self.end)

    @property
    def placed(self) -> Placed:
        """Its text with places."""
        return Placed(self.text, range(self.at, self.at + len(self.text) + 1))


def lines_of(text: str, start: int = 0) -> list[Line]:
    """The lines of a source from `start`; a carriage return before the line end is no part of them."""
    found, at = [], start
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        stop = end - 1 if end > at and text[end - 1] == "\r" else end
        found.append(Line(text[at:stop], at, end))
        at = end + 1
    return found


def joined(lines: Sequence[Line]) -> Placed:
    """Lines as one text with their line ends between them."""
    parts: list[Placed] = []
    for number, line in enumerate(lines):
        if number:
            before = lines[number - 1].end
            parts.append(Placed("\n", range(before, before + 2)))
        parts.append(line.placed)
    return join(parts)


def unmasked(lines: Iterable[Line], source: str) -> list[Line]:
    """The lines as the source has them, for code, where nothing is hidden."""
    return [Line(whole(source, line.at, line.at + len(line.text)).text, line.at, line.end) for line in lines]


def indent(text: str) -> int:
    """The width of the blanks at the start of a line, tabs reaching to the next multiple of 4."""
    width = 0
    for letter in text:
        if letter == " ":
            width += 1
        elif letter == "\t":
            width += 4 - width % 4
        elif letter != MASK:
            break
    return width


def dedent(line: Line, width: int) -> Line:
    """Without up to `width` columns of blanks."""
    count = column = 0
    while count < len(line.text) and column < width and line.text[count] in " \t":
        column += 1 if line.text[count] == " " else 4 - column % 4
        count += 1
    return line.cut(count)


def without_blank_ends(lines: Sequence[Line]) -> Sequence[Line]:
    """Without the blank lines at both ends."""
    start, end = 0, len(lines)
    while start < end and lines[start].blank:
        start += 1
    while end > start and lines[end - 1].blank:
        end -= 1
    return lines[start:end]
