"""The sentence around a piece of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.documents.document import Piece

_SHORT = 40
"""Mathematics and code up to this length stay in the words before what follows."""
_OWN_SUBJECT = re.compile(r"\S.{3,}(?:[:：]|为|是)\s*$")


def with_words_before(pieces: Sequence[Piece]) -> Iterator[tuple[int, Piece, str]]:
    """Each piece that is not words, its place among the pieces, and the words of its sentence before it."""
    before = ""
    for at, piece in enumerate(pieces):
        if piece.kind == "words":
            before = sentence_end(before + piece.text)
            continue
        yield at, piece, before
        before += f" {piece.text} " if len(piece.text) < _SHORT else " "


def sentence_end(text: str) -> str:
    """What stands behind the last full stop, or on the last line where that says by itself what a formula is."""
    for mark in (". ", "。", "；", "; ", "\n\n"):
        text = text.rpartition(mark)[2]
    line = text.rpartition("\n")[2][-300:]
    return line if _OWN_SUBJECT.search(line) else text[-300:]
