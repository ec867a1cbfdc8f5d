r"""Sides that are words: `\text{Total params}`, `KV cache`, `参数量` are one name each."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from derive.formula.cursor import LOOK_AHEAD
from derive.formula.tree import Name
from derive.formula.whole_words import FUNCTIONS, is_word

if TYPE_CHECKING:
    from derive.formula.side import SideReader
    from derive.formula.tokens import Token

_LABEL_KINDS = frozenset(("text", "word", "cjk", "number", "_", "-", "/", "(", ")"))
_WORDS_KINDS = frozenset(("text", "cjk"))
_LONGEST_IDENTIFIER = 6


def label_of(reader: SideReader) -> Name | None:
    """The side as one name, where it is words without an operator."""
    for token in reader.tokens:
        if token.kind not in _LABEL_KINDS:
            if token.kind == "end":
                break
            return None
    tokens = reader.tokens[:-LOOK_AHEAD]
    if tokens[0].kind == "number" or (len(tokens) == 1 and tokens[0].kind == "word") or _is_calculated(tokens):
        return None
    kinds = {token.kind for token in tokens}
    if kinds.isdisjoint(_WORDS_KINDS) and (not kinds.isdisjoint("-/") or not any(map(_is_long_word, tokens))):
        return None
    if not reader.plain and any(token.kind == "word" and not is_word(token.text) for token in tokens):
        return None
    if "_" in kinds and len(tokens) <= _LONGEST_IDENTIFIER:
        return None
    return labelled(reader, " ".join(token.text.strip() for token in tokens if token.kind not in "()"))


def labelled(reader: SideReader, words: str) -> Name:
    """A name that stands for words: spaces left out."""
    name = "".join(words.split()).replace("-", "").replace("/", "")
    if not name:
        raise reader.fail("an empty name")
    reader.labels[name] = words.strip()
    return Name(name)


def _is_calculated(tokens: list[Token]) -> bool:
    r"""`ceil(V/64)` and `\text{params} / 2` are no words, `GPT-2 parameters` are."""
    if tokens[0].text in FUNCTIONS and len(tokens) > 1 and tokens[1].kind == "(":
        return True
    return any(
        after.kind == "number" and (sign.kind == "/" or (sign.kind == "-" and (after.spaced or sign.spaced)))
        for sign, after in pairwise(tokens)
    )


def _is_long_word(token: Token) -> bool:
    return token.kind == "word" and len(token.text) > 1 and is_word(token.text)
