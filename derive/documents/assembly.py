"""From what inline readers find, one after the other, to blocks: neighbouring words join, blank pieces go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from derive.documents.document import Block, BlockKind, Cell, Piece, PieceKind
from derive.documents.placed import Placed, join, visible

_ONLY_MARKS = " \t\r\n.,;:!。，；：、"

Expand = Callable[[Placed], Placed]


def as_is(placed: Placed) -> Placed:
    """No macro is known."""
    return placed


class Assembly:
    """Blocks in the making. `expand` puts in what the macros of a formula stand for."""

    def __init__(self, kind: BlockKind = "text", expand: Expand = as_is) -> None:
        self.kind = kind
        self.expand = expand
        self.blocks: list[Block] = []
        self._pieces: list[Piece] = []
        self._words: list[Placed] = []

    def words(self, placed: Placed) -> None:
        """Words, which join those before them."""
        if placed.text:
            self._words.append(placed)

    def math(self, placed: Placed) -> None:
        """A formula in the text."""
        self._add("math", self.expand(visible(placed)).strip())

    def code(self, placed: Placed) -> None:
        """Code in the text."""
        self._add("code", placed)

    def display(self, placed: Placed) -> None:
        """A formula on lines of its own, between two blocks."""
        self.end()
        shown = self.expand(visible(placed)).strip()
        if shown.text:
            self.blocks.append(Block("display", (_piece("math", shown),)))

    def block(self, block: Block) -> None:
        """A block that is ready."""
        self.end()
        self.blocks.append(block)

    def end(self, following: BlockKind = "text") -> None:
        """Ends the block; the next one is of the kind `following`."""
        self._flush()
        pieces = _trimmed(self._pieces)
        if pieces and not all(piece.kind == "words" and not piece.text.strip(_ONLY_MARKS) for piece in pieces):
            self.blocks.append(Block(self.kind, tuple(pieces)))
        self._pieces = []
        self.kind = following

    def cell(self) -> Cell:
        """What was found as a cell of a table; displayed formulas stand in it as formulas."""
        self.end()
        return tuple(piece for block in self.blocks for piece in block.pieces)

    def _add(self, kind: PieceKind, placed: Placed) -> None:
        if placed.text.strip():
            self._flush()
            self._pieces.append(_piece(kind, placed))

    def _flush(self) -> None:
        words = visible(join(self._words)) if self._words else None
        self._words = []
        if words and words.text:
            self._pieces.append(_piece("words", words))


def _piece(kind: PieceKind, placed: Placed) -> Piece:
    return Piece(kind, placed.text, placed.offsets)


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    """Without blanks at both ends of the block."""
    found = list(pieces)
    while found and found[0].kind == "words":
        words = Placed(found[0].text, found[0].offsets)
        found[0] = _piece("words", words.part(len(words.text) - len(words.text.lstrip())))
        if found[0].text:
            break
        del found[0]
    while found and found[-1].kind == "words":
        words = Placed(found[-1].text, found[-1].offsets)
        found[-1] = _piece("words", words.part(0, len(words.text.rstrip())))
        if found[-1].text:
            break
        del found[-1]
    return found


def code_block(placed: Placed, language: str = "") -> Block:
    """A block of code."""
    return Block("code", (_piece("code", placed),), language)


def moved(block: Block, place: Callable[[int], int]) -> Block:
    """The block with every place moved, for a text that stands inside another one."""

    def piece(found: Piece) -> Piece:
        return replace(found, offsets=tuple(place(offset) for offset in found.offsets))

    rows = tuple(tuple(tuple(piece(found) for found in cell) for cell in row) for row in block.rows)
    return replace(block, pieces=tuple(piece(found) for found in block.pieces), rows=rows)
