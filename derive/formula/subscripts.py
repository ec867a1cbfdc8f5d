r"""Subscripts: `d_{\text{model}}`, `n_hd_h`, `E_s3dm_s`, `x₁` → the words that follow the underscore in a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.errors import FormulaError
from derive.formula.signs import GREEK_NAMES
from derive.symbols import meant_by

if TYPE_CHECKING:
    from derive.formula.cursor import Cursor
    from derive.formula.side import SideReader
    from derive.formula.tokens import Token

_WORD_KINDS = frozenset(("text", "cjk", "word", "number", "greek", "sub", "super"))
_COMMANDS = frozenset((r"\max", r"\min"))
_SUBSCRIPTS = frozenset(
    "model kv head heads layer layers ff ffn mlp attn attention vocab ctx emb embed total params param active dense moe experts "
    "expert seq tokens batch hidden max min tot all act lin block norm out in enc dec pos rope nope lora gpu gpus mem bw comp qk qkv "
    "router shared routed inner expand state conv dim size opt star eff train infer kvhead".split()
)


def is_subscript(word: str) -> bool:
    """Whether letters behind an underscore are one subscript."""
    return word.lower() in _SUBSCRIPTS


def canonical(words: str) -> str:
    """A word as part of a name: without spaces and hyphens; Greek letters by name."""
    if words.isascii() and words.isalnum():
        return words
    joined = "_".join(words.replace("-", " ").replace(",", " ").replace("/", " ").split())
    joined = joined.strip("_") or "".join(words.split())
    return "".join(GREEK_NAMES.get(letter, letter) for letter in joined)


def read_subscript(reader: SideReader, letter: str = "") -> str:
    """What stands after `_`: a word, a letter, or a group of words; parts are joined by underscores."""
    if reader.token.kind == "sub":
        return reader.take().text
    reader.take()
    kind = reader.token.kind
    if kind == "{":
        return read_group(reader)
    if kind in ("text", "cjk", "greek"):
        return canonical(reader.take().text)
    if kind == "command" and reader.token.text in _COMMANDS:
        return reader.take().text[1:]
    if kind == "command":
        raise reader.fail(f"cannot read the subscript {reader.token.text}")
    if kind not in ("word", "number"):
        raise reader.fail("expected a subscript after '_'")
    if kind == "word":
        _end_subscript(reader, letter)
    return _identifier(reader)


def _identifier(reader: SideReader) -> str:
    """`kv`, `zero3`, `dense_layers`: the word that stands here with what is joined to it."""
    word = reader.take().text
    if digits_follow(reader, reader.at):
        word += reader.take().text
    while reader.token.kind == "_" and reader.ahead().kind in ("word", "number") and not reader.ahead().spaced:
        reader.take()
        word += "_" + reader.take().text
    return word


def _end_subscript(reader: SideReader, letter: str) -> None:
    """`n_hd_h` and `E_sdm` without braces: the subscript is the first letter where the whole is no known word."""
    word = reader.token.text
    if len(word) == 1 or is_subscript(word) or meant_by(f"{letter}_{word}") is not None:
        return
    for length in range(min(len(word) - 1, 20), 0, -1):
        if meant_by(f"{letter}_{word[:length]}") is not None:
            reader.split(length)
            return
    if reader.ahead().kind == "_" or not reader.plain:
        reader.split(1)


def digits_follow(reader: SideReader, at: int) -> bool:
    """`M_zero3`, `M_train_fp32`: digits that touch a subscript of several letters, but for `d_model2`."""
    before, token = reader.tokens[at - 1], reader.tokens[at]
    if token.kind != "number" or before.kind != "word" or token.start != before.end or not token.text.isdecimal():
        return False
    return len(before.text) > 1 and not is_subscript(before.text)


def _goes_on(word: str, before: Token, token: Token) -> bool:
    """Whether a token touches the word before it and is of the same word: `fp16`, `adam8bit`, but not `2d`."""
    touching = token.start == before.end and {before.kind, token.kind} == {"word", "number"}
    return touching and (before.kind == "word" or word[0].isalpha())


def read_group(reader: Cursor) -> str:
    r"""The words between braces, joined: `{\mathrm{total,moe}}` → total_moe."""
    reader.take()
    words: list[str] = []
    depth = 1
    while True:
        before = reader.before()
        token = reader.take()
        kind = token.kind
        if kind == "end":
            raise reader.fail("expected '}' to close the subscript")
        depth += (kind == "{") - (kind == "}")
        if depth == 0 and not words:
            raise FormulaError("an empty subscript", reader.text, token.start + 1)
        if depth == 0:
            return "_".join(words)
        if words and _goes_on(words[-1], before, token):
            words[-1] += token.text
        elif kind in _WORD_KINDS:
            words.append(canonical(token.text))
        elif kind == "command" and token.text in _COMMANDS:
            words.append(token.text[1:])
        elif kind == "+":
            words.append("plus")
