"""What blocks of code say: assignments and configurations line by line, comments behind them, plain text in a fence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from derive.checker.glossary.lines.items import items_of
from derive.checker.glossary.lines.tokens import Line, line_of
from derive.checker.glossary.meanings import possible
from derive.checker.glossary.patterns.definitions import definitions
from derive.checker.glossary.said import Evidence, Value, plausible_value
from derive.checker.glossary.wordings.phrases import meant
from derive.checker.glossary.words import meaning_of_word
from derive.documents.document import Block, Piece
from derive.symbols import BY_NAME

MOST_LINES = 5_000
LONGEST_LINE = 400

_PROSE = {"", "text", "txt", "plain", "plaintext", "math", "latex", "tex", "md", "markdown", "none", "output", "console"}
_ASSIGNMENT = r"""\s* (?:-\s+)? (?:(?:self|cls|config|cfg|args|const|let|int|final)[. ]\s*)?
        ["']? (?P<name>[A-Za-z_\u4e00-\u9fff][A-Za-z0-9_\-\u4e00-\u9fff]*) ["']?
        \s* (?::\s*(?:int|float|usize|u32|Optional\[int\])\s*)? (?P<link>=|:) \s*
        (?P<number>\d[\d_,]*?|[A-Za-z_][A-Za-z0-9_.]*) \s* (?:[,;)}]|(?=\#|//|--)|$)"""
_COMMENT = re.compile(r"(?:\#|//|--|%|\u2190|<-)\s*(.*)")


@cache
def _assignment() -> re.Pattern[str]:
    """Its Chinese letters take two milliseconds to compile, which a document without code need not wait for."""
    return re.compile(_ASSIGNMENT, re.VERBOSE)


def said_in_code(block: Block) -> Iterator[Evidence | Value]:
    """What a block of code defines."""
    for piece in block.pieces:
        start = 0
        for count, text in enumerate(piece.text.split("\n")):
            if count >= MOST_LINES:
                return
            if text.strip() and len(text) <= LONGEST_LINE:
                yield from _in_line(Piece("words", text, piece.offsets[start : start + len(text) + 1]), block.language.lower())
            start += len(text) + 1


def _in_line(line: Piece, language: str) -> Iterator[Evidence | Value]:
    assigned = _assignment().match(line.text)
    comment = _COMMENT.search(line.text)
    if assigned and (comment is None or assigned.end("number") <= comment.start()):
        said = list(_assigned(assigned, line, comment))
        yield from said
        if said:
            return
    if language in _PROSE:
        yield from definitions(line_of((line,)))
    elif comment is not None:
        yield from definitions(line_of((_part(line, comment.start(1), comment.end(1)),)))
    else:
        yield from _described(line)


def _assigned(match: re.Match[str], line: Piece, comment: re.Match[str] | None) -> Iterator[Evidence | Value]:
    """`H = 4096  # hidden size`, `n_embd = 768`, `"hidden_size": 4096,`, `h = hidden_size`."""
    name, right = match["name"].replace("-", "_"), match["number"]
    offset, why = line.offsets[match.start("name")], " ".join(line.text.split())[:90]
    value = Fraction(re.sub(r"[_,]", "", right)) if right[0].isdigit() and len(right) < 20 else None
    own = meaning_of_word(name)
    said = _leading_meaning(line_of((_part(line, comment.start(1), comment.end(1)),)), name) if comment else None
    meaning = said or own
    if said and match["link"] == "=":
        yield Evidence(name, said, why, offset)
    if value is None and match["link"] == "=" and said is None:
        meaning = meaning_of_word(right.rpartition(".")[2])
        if meaning and own is None and meaning in possible(name):
            yield Evidence(name, meaning, why, offset)
    elif value is not None and meaning in BY_NAME and meaning is not None and plausible_value(meaning, value):
        yield Value(meaning, value, why, offset)


def _leading_meaning(comment: Line, name: str) -> str | None:
    """What a comment behind an assignment calls the name: it begins with a wording, and the wording is most of it."""
    items = items_of(comment)
    start = 0
    while start < len(items) and items[start].kind == "filler":
        start += 1
    if start == len(items) or items[start].wording is None:
        return None
    wording, rest = items[start].wording, items[start + 1 :]
    assert wording is not None
    meaning = meant(wording, name)
    alone = not rest or rest[0].kind in ("separator", "open", "end") or rest[0].link in (":", "-")
    return meaning if meaning and alone and (wording.manner == "full" or meaning in (*possible(name), meaning_of_word(name))) else None


def _described(line: Piece) -> Iterator[Evidence | Value]:
    """`h: hidden size` in a docstring: the line is the name, a colon and the wording."""
    items = items_of(line_of((line,)))
    if len(items) in (3, 4) and items[0].kind == "name" and items[1].link in (":", "-") and items[-1].wording:
        yield from definitions(line_of((line,)))


def _part(line: Piece, start: int, end: int) -> Piece:
    return Piece("words", line.text[start:end], line.offsets[start : end + 1])
