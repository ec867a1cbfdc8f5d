"""A block as one line of tokens: words, names, numbers and signs, each with its place in the original file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Literal

from derive.checker.glossary.lines.latex import math_tokens
from derive.checker.glossary.lines.names import GREEK
from derive.documents.document import Piece
from derive.records import dataclass

MOST_CHARACTERS = 50_000
"""Characters of a block that are read; what stands behind them says nothing."""

TokenKind = Literal["word", "name", "number", "sign", "opaque"]

_TOKEN = re.compile(
    r"""
      (?P<number> (?: \d{1,3}(?:,\d{3})+(?!\d) | \d+ ) (?:\.\d+)? )
    | (?P<word>   [A-Za-z_][A-Za-z0-9_]* (?:(?:'(?:s|re|t)|’(?:s|re|t))\b)? )
    | (?P<sign>   [^\s] )
    """,
    re.VERBOSE,
)
_NOISE = set("`\"“”'‘’")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a line. `start` and `end` are places in the line, `offset` the place in the document.

    A name is `marked` where the document writes it as mathematics or code, so that `a` is no article.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    offset: int
    marked: bool = False
    value: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """What a block says, in reading order: its text as written and its tokens."""

    text: str
    tokens: tuple[Token, ...] = field(repr=False)

    def glued(self, at: int) -> bool:
        """Whether no space parts a token from the one before."""
        return 0 < at < len(self.tokens) and self.tokens[at - 1].end == self.tokens[at].start

    def quote(self, start: int, end: int) -> str:
        """What stands from `start` to `end`, on one line and not too long."""
        words = " ".join(self.text[start:end].split())
        return words if len(words) <= 90 else words[:89] + "…"


def line_of(pieces: Sequence[Piece]) -> Line:
    """The pieces as one line."""
    texts: list[str] = []
    found: list[Token] = []
    start = 0
    for piece in pieces:
        if start + len(piece.text) > MOST_CHARACTERS:
            break
        found.extend(_tokens(piece, start))
        texts.append(piece.text)
        start += len(piece.text)
    else:
        return Line("".join(texts), tuple(found))
    rest = piece.text[: MOST_CHARACTERS - start] if piece.kind == "words" else ""
    found.extend(_words(rest, piece.offsets, start, marked=False))
    return Line("".join([*texts, rest]), tuple(found))


def _tokens(piece: Piece, start: int) -> Iterable[Token]:
    if piece.kind == "math":
        return _math(piece, start)
    return _words(piece.text, piece.offsets, start, marked=piece.kind == "code")


def _math(piece: Piece, start: int) -> Iterator[Token]:
    for part in math_tokens(piece.text):
        if part.kind == "words":
            yield from _words(part.text, piece.offsets, start, marked=False, shift=part.start)
            continue
        at, end = start + part.start, start + part.end
        yield Token(part.kind, part.text, at, end, piece.offsets[part.start], marked=True, value=part.value)


def _words(text: str, offsets: Sequence[int], start: int, *, marked: bool, shift: int = 0) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        piece, kind = match.group(), match.lastgroup
        if piece in _NOISE:
            continue
        at = match.start() + shift
        place = (start + at, start + match.end() + shift, offsets[at])
        if kind == "number":
            yield Token("number", piece, *place, marked, value=Fraction(piece.replace(",", "")) if len(piece) < 30 else None)
        elif kind == "sign" and ("\u0370" <= piece <= "\u03ff" or piece == "ℓ"):
            yield Token("name", GREEK.get(piece, piece), *place, marked)
        else:
            yield Token("word" if kind == "word" or "\u4e00" <= piece <= "\u9fff" else "sign", piece, *place, marked)
