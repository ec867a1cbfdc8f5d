"""Words between the numbers that say what is counted: `10 (dropout) + 24 (matmul)`, `20 blocks × 4096`, `5.3 GB / sequence`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.formula.units import UNITS

if TYPE_CHECKING:
    from derive.formula.side import SideReader
    from derive.formula.tokens import Token

_NOTED_KINDS = frozenset(("number", "word", "text"))
_NOTE_KINDS = frozenset(("word", "cjk", "text", "number", "/", "-", ",", "_", ".", "'", "!"))
_BEHIND_COUNTED = frozenset(("end", "*", "+", "-", "/", ")"))
_BEHIND_PER = frozenset(("end", "*", "+", "-", ")"))
_SHORTEST_COUNTED = 2
_MOST_COUNTED = 3
_SHORTEST_PER = 3


def is_note(reader: SideReader) -> bool:
    """`10(norm/dropout) + 24(matmul)`: in plain text, words in brackets behind a number say what it is."""
    if not reader.plain:
        return reader.ahead().kind == "text" and reader.ahead(2).kind == ")" and reader.ahead(3).kind == "end"  # "M (\\text{GiB})"
    if reader.before().kind not in _NOTED_KINDS or reader.ahead().kind == "number":
        return False
    at, words = reader.at + 1, int(reader.token.spaced and reader.before().kind == "number")
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
    """`20 blocks × 4096`, `8 kv heads * 128`: in plain text, words behind a number that say what is counted."""
    if not reader.plain:
        return
    at = reader.at
    while at - reader.at < _MOST_COUNTED and _is_counted(reader.tokens[at]):
        at += 1
    after = reader.tokens[at]
    if at > reader.at and (after.kind in _BEHIND_COUNTED or after.text in ("x", "X")):
        reader.remarks.append(" ".join(token.text for token in reader.tokens[reader.at : at]))
        reader.go(at)
        skip_per(reader)


def _is_counted(token: Token) -> bool:
    """A word that may say what is counted: `8 kv heads`, `128 dim`."""
    return token.kind == "word" and token.spaced and len(token.text) >= _SHORTEST_COUNTED and token.text.islower()


def skip_per(reader: SideReader) -> None:
    """`5.3 GB / sequence`: what a size is counted for, where that is no unit."""
    if reader.plain and reader.token.text == "per" and reader.ahead().kind == "word" and reader.ahead(2).kind in _BEHIND_COUNTED:
        reader.remarks.append(f"per {reader.ahead().text}")
        reader.go(reader.at + 2)
    if reader.token.kind != "/" or reader.ahead().kind not in ("word", "text", "cjk"):
        return
    word = reader.ahead().text.strip()
    if (
        reader.ahead(2).kind in _BEHIND_PER
        and len(word) >= _SHORTEST_PER
        and (word not in UNITS or (UNITS[word].kind == "count" and not word.startswith("param")))
    ):
        reader.remarks.append(f"/{word}")
        reader.go(reader.at + 2)
