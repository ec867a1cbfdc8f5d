"""Words between the numbers that say what is counted: `10 (dropout) + 24 (matmul)`, `20 blocks × 4096`, `5.3 GB / sequence`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.formula.units import UNITS
from derive.formula.whole_words import is_word

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_NOTED_KINDS = frozenset(("number", "word", "text"))
_NOTE_KINDS = frozenset(("word", "cjk", "text", "number", "/", "-", ",", "_", ".", "'", "!"))
_BEHIND_COUNTED = frozenset(("end", "*", "+", "-", "/", ")"))
_BEHIND_PER = frozenset(("end", "*", "+", "-", ")"))
_SHORTEST_COUNTED = 4
_SHORTEST_PER = 3


def is_note(reader: SideReader) -> bool:
    """`10(norm/dropout) + 24(matmul)`: in plain text, words in brackets behind a number say what it is."""
    if not reader.plain or reader.before().kind not in _NOTED_KINDS or reader.ahead().kind == "number":
        return False
    at, words = reader.at + 1, 0
    while reader.tokens[at].kind in _NOTE_KINDS:
        token = reader.tokens[at]
        words += token.kind in ("cjk", "text") or (token.kind == "word" and len(token.text) > 2)
        at += 1
    return reader.tokens[at].kind == ")" and words > 0


def skip_note(reader: SideReader) -> None:
    """Leaves the note out, and keeps its words as a remark."""
    start = reader.token.start
    reader.skip_group(")")
    reader.remark(start, reader.before().end)


def skip_counted(reader: SideReader) -> None:
    """`20 blocks × 4096`: in plain text, a word behind a number that says what is counted."""
    token, after = reader.token, reader.ahead()
    if not (reader.plain and token.kind == "word" and token.spaced and len(token.text) >= _SHORTEST_COUNTED):
        return
    ends = after.kind in _BEHIND_COUNTED or after.text in ("x", "X")
    if ends and token.text.islower() and not is_word(token.text):
        reader.remarks.append(token.text)
        reader.take()
        skip_per(reader)


def skip_per(reader: SideReader) -> None:
    """`5.3 GB / sequence`: what a size is counted for, where that is no unit."""
    if reader.token.kind != "/" or reader.ahead().kind not in ("word", "text", "cjk"):
        return
    word = reader.ahead().text.strip()
    if reader.ahead(2).kind in _BEHIND_PER and len(word) >= _SHORTEST_PER and word not in UNITS:
        reader.remarks.append(f"/{word}")
        reader.go(reader.at + 2)
