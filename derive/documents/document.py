"""What a document is to the checker: blocks of words and mathematics, every character with its place in the original file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from derive.records import dataclass

PieceKind = Literal["words", "math", "code"]
BlockKind = Literal["heading", "text", "item", "display", "code", "table"]


@dataclass(frozen=True, slots=True)
class Piece:
    r"""A stretch of a block: words as a reader sees them, LaTeX between dollars, or what stands between backticks.

    `offsets[i]` is where character `i` of `text` stands in the original file, and `offsets[-1]` where the piece ends, so
    that `len(offsets) == len(text) + 1`; characters that come from an expanded macro have the place of its call.
    """

    kind: PieceKind
    text: str
    offsets: Sequence[int]


Cell = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list item, displayed mathematics, a block of code, or a table.

    `pieces` are in reading order. A `display` has one piece of kind "math" (all lines of its environment together). A `code`
    block has one piece of kind "code", and `language` says what its fence names ("" for none or an indented block). A
    `table` has `rows` of cells instead of pieces, the first row being the header where `header` is true.
    """

    kind: BlockKind
    pieces: tuple[Piece, ...] = ()
    language: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    header: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that a reader does not see: `<!-- … -->`, `% …`, `.. …`; text without its marks, and where it starts."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read: its name, its source as text, its blocks in order, its comments."""

    name: str
    source: str
    blocks: tuple[Block, ...]
    comments: tuple[Comment, ...] = ()
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", (0, *(found.end() for found in re.finditer("\n", self.source))))

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column, both from 1, of a character of the source."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.source)
        return self.source[start:end].rstrip("\r")
