r"""Names: a letter with its subscript, a whole word (`hidden_size`, `FLOPs`), the words of a font, a Chinese word."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from derive.formula.functions import read_function
from derive.formula.labels import labelled
from derive.formula.signs import GREEK_NAMES
from derive.formula.subscripts import canonical, digits_follow, is_subscript, read_subscript
from derive.formula.tree import Formula, Name, Number
from derive.formula.units import SCALES, SINGLE, SYMBOL_LIKE, UNITS
from derive.formula.whole_words import ATTRIBUTE_OWNERS, FUNCTIONS, is_word
from derive.formula.written_units import is_unit_per, unit, unit_per
from derive.symbols import meant_by

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_LISTED_KINDS = frozenset(("word", "greek", ",", "_", "{", "}"))
_LONGEST_PREFIX = 4
_SHORTEST_PLAIN_WORD = 4
_LONG_WORD = 9


def read_name(reader: SideReader) -> Formula:
    """One symbol out of a run of letters: a whole word where it is one, else its first letter."""
    text = reader.token.text
    if reader.token.kind == "greek":
        reader.take()
        return _with_subscript(reader, text)
    after = reader.ahead()
    while text in ATTRIBUTE_OWNERS and after.kind == "." and reader.ahead(2).kind == "word":  # config.hidden_size
        reader.go(reader.at + 2)
        text, after = reader.token.text, reader.ahead()
    if after.kind == "(" and _is_applied(text) and not is_word(text):
        return read_function(reader, text)
    if len(text) > 1 or after.kind == "_":
        whole = _whole_word(reader)
        if whole is not None:
            return whole
    return _letter(reader)


def _is_applied(word: str) -> bool:
    """Whether a word before a bracket is a function of what the bracket holds; `O(n)` is read as one, to be refused."""
    return word in FUNCTIONS or word == "O"


def _letter(reader: SideReader) -> Name:
    """The first letter, with its subscript; the others stand for themselves."""
    if len(reader.token.text) > 1:
        reader.split(1)
        return _symbol(reader.take().text)
    alone = reader.before().kind not in ("word", "number", "greek") or reader.before().end < reader.token.start
    letter = reader.take().text
    kind = reader.token.kind
    if kind == "number" and reader.plain and alone and letter.isupper() and reader.token.start == reader.before().end:  # H2, R1
        return Name(letter + reader.take().text)
    if kind in ("_", "sub"):
        letter = _symbol(letter).name
        return Name(f"{letter}_{read_subscript(reader, letter)}")
    if kind == "(" and _lists_arguments(reader):
        reader.skip_group(")")
    return _symbol(letter)


@lru_cache(maxsize=256)
def _symbol(letter: str) -> Name:
    return Name(GREEK_NAMES.get(letter, letter))


def _with_subscript(reader: SideReader, name: str) -> Name:
    return Name(f"{name}_{read_subscript(reader)}" if reader.token.kind in ("_", "sub") else name)


def _lists_arguments(reader: SideReader) -> bool:
    """`P(d, L)`: a list of names in brackets behind a name says what it depends on."""
    at, commas = reader.at + 1, 0
    while reader.tokens[at].kind in _LISTED_KINDS:
        commas += reader.tokens[at].kind == ","
        at += 1
    return commas > 0 and reader.tokens[at].kind == ")"


# words


def _whole_word(reader: SideReader) -> Name | None:
    """The identifier that starts here (`hidden_size`, `n_layers`, `FLOPs`), taken if it is one word."""
    base = reader.token.text
    word, at = _joined(reader)
    if word == base:
        if reader.plain and len(base) > 1 and _joins_digits(reader, at):  # fp16, int8, H100
            reader.go(at + 1)
            return Name(word + reader.before().text)
        if len(word) < 2 or not (is_word(word) or (reader.plain and _is_plain_word(word))):
            return None
    elif not _is_identifier(word, plain=reader.plain):
        return None
    per = f"{word}/{reader.tokens[at + 1].text.strip()}" if reader.tokens[at].kind == "/" else ""
    if per in UNITS:
        word, at = per, at + 2
    multiplied = reader.at == 0 or reader.before().kind in ("*", "(", "+", "-", "{")
    if word in UNITS and word not in SYMBOL_LIKE and not multiplied:
        reader.units.add(word)
    reader.go(at)
    return Name(word)


def _joined(reader: SideReader) -> tuple[str, int]:
    """The word that stands here with what underscores join to it, and the place behind it."""
    tokens, at = reader.tokens, reader.at + 1
    word = reader.token.text
    while tokens[at].kind == "_" and tokens[at + 1].kind in ("word", "number") and not tokens[at + 1].spaced:
        word += "_" + tokens[at + 1].text
        at += 2
        if digits_follow(reader, at):
            word += tokens[at].text
            at += 1
        if tokens[at].kind == "number" and not tokens[at].spaced:
            break
    return word, at


def _is_identifier(word: str, *, plain: bool) -> bool:
    """Whether a word with underscores is one name, rather than a product that ends in a subscript."""
    base, *inner = word.split("_")
    if meant_by(word) is not None or (len(base) > 1 and is_word(base)):
        return True
    if len(base) > 1:
        return plain and not _splits(base, inner[0])
    return len(inner) > 1 and all(len(part) > 1 if plain else is_subscript(part) for part in inner)


def _splits(base: str, subscript: str) -> bool:
    """Whether `Ld_model` is L·d_model: the last letter with the subscript is a symbol, and those before are letters."""
    known = meant_by(f"{base[-1]}_{subscript}") is not None and meant_by(f"{base}_{subscript}") is None
    return known and len(base) <= _LONGEST_PREFIX


def _joins_digits(reader: SideReader, at: int) -> bool:
    return reader.tokens[at].kind == "number" and reader.tokens[at].start == reader.token.end


def _is_plain_word(word: str) -> bool:
    """In plain text a longer word is a name, unless it is made of a formula's capitals (`BTDNH`)."""
    named = len(word) >= _SHORTEST_PLAIN_WORD and not word.isupper() and (word.islower() or word.istitle())
    return named or len(word) >= _LONG_WORD


# the words of a font


def read_text(reader: SideReader) -> Formula:
    r"""`\text{FLOPs}`, `\mathrm{attn}`, `参数量`: one name, with its subscript; or a unit."""
    opened = reader.before().kind
    first = reader.at == 0
    token = reader.take()
    words = token.text.strip()
    if token.kind == "cjk" and reader.plain and reader.token.kind == "cjk":
        words += reader.take().text
        opened, first = "cjk", False
    is_name = reader.token.kind in ("_", "sub")
    if words in UNITS and not is_name and (words not in SYMBOL_LIKE or (reader.in_numbers and not first)):
        return unit(reader, words)
    if is_unit_per(words):
        return unit_per(reader, words)
    if reader.token.kind == "(" and _is_applied(words):
        return read_function(reader, words)
    if words in SINGLE and opened in (")", "}"):
        return Number(SCALES[words])
    if not words.replace("_", "").replace("-", "").isalnum():
        return _with_subscript(reader, labelled(reader, words).name)
    return _with_subscript(reader, canonical(words))


def starts_factor(reader: SideReader) -> bool:
    """Whether words behind a factor are multiplied: a unit, or one name of the field; other words are a remark."""
    token = reader.token
    words = token.text.strip()
    if words in UNITS or is_unit_per(words) or meant_by(words) is not None:
        return True
    return token.kind == "text" and words.isidentifier() and is_word(words) and reader.ahead().kind != "end"
