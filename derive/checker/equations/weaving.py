"""The pieces of a paragraph as one text, so that a computation may go on from words to mathematics and back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.checker.equations.signs import RELATION
from derive.documents.document import Piece

OPEN, CLOSE, OPAQUE = "\x02", "\x03", "\x04"
_BEGINS_WITH_RELATION = re.compile(r"\s*(=|≈|\\approx|\\simeq|\\sim)(?![A-Za-z])\s*")


def woven(pieces: Sequence[Piece]) -> tuple[str, list[int]]:
    """The pieces as one text with the places of its characters.

    An expression stands between marks, and what has relations of its own is one opaque letter.
    """
    text: list[str] = []
    offsets: list[int] = []
    for piece in pieces:
        written, places = _strand(piece)
        text.append(written)
        offsets.extend(places)
    offsets.append(pieces[-1].offsets[-1] if pieces else 0)
    return "".join(text), offsets


def _strand(piece: Piece) -> tuple[str, Sequence[int]]:
    """What a piece is in the woven text, and where its characters stand."""
    text, offsets = piece.text, piece.offsets
    if piece.kind == "words":
        return text, offsets[: len(text)]
    led = _BEGINS_WITH_RELATION.match(text) if piece.kind == "math" else None
    if led is not None and not RELATION.search(text[led.end() :]):  # "$1.31\cdot 12$ bytes $= 17.5$ GB"
        sign = "≈" if led.group(1) in ("≈", r"\approx", r"\sim", r"\simeq") else "="
        places = [offsets[0], offsets[led.end()], *offsets[led.end() : len(text)], offsets[-1]]
        return f"{sign}{OPEN}{text[led.end() :]}{CLOSE}", places
    expression = text and not RELATION.search(text) and len(text) < 200 and OPEN not in text
    inner = text if expression else OPAQUE
    return f"{OPEN}{inner}{CLOSE}", [offsets[0], *offsets[: len(inner)], offsets[-1]]


def readable(woven: str) -> str:
    """The woven text without its marks."""
    return woven.replace(OPEN, "").replace(CLOSE, "").replace(OPAQUE, " ")
