"""Formulas in running text: stretches of numbers, operators and symbols around a relation, and the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from derive.formula.subscripts import is_subscript
from derive.formula.units import UNITS, scale
from derive.formula.whole_words import ATTRIBUTE_OWNERS, FUNCTIONS, is_word
from derive.records import dataclass
from derive.symbols import meant_by

MOST_TOKENS = 300
"""How far a formula in running text reaches to each side of a relation."""

Kind = Literal["number", "word", "cjk", "op", "rel", "open", "close", "up", "math", "break", "other"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a text that writes a statement, from `start` to `end`, the words before it; `worded` where its left side is words."""

    start: int
    end: int
    label: str
    worded: bool = False


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Kind
    text: str
    start: int
    end: int


_TOKEN = r"""
      (?P<link>   \w+://\S+ | 0[xXbB][0-9A-Fa-f]+ | \w[\w.]*@\w[\w.]* )
    | (?P<math>   \x02[^\x02\x03]*\x03 )
      | (?P<plus>   \d+(?:[.,]\d+)*\+(?=\s|$) )
    | (?P<number> \d{1,3}(?:[,_\u2009\u202f]\d{3})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)?(?:[eE][+-]?\d+)? | \.\d+ )
    | (?P<rel>    := | ~= | == | <= | >= | != | [=≈≃≅≒∼≤≥≠∝＝] | ~(?=\s?\d) | 约等于 | 约为 | 等于 | [<>](?=\s) )
    | (?P<word>   [A-Za-zµ\u0370-\u03ff]+(?:(?<![xX])\d+[A-Za-z]*)?(?:_[A-Za-z0-9]+|_\{[A-Za-z0-9_,\ ]{1,30}\})* [₀-₉ₐ-ₜ]* )
    | (?P<cjk>    (?:(?!约等于|约为|等于)[\u4e00-\u9fff])+ )
    | (?P<up>     [⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+ )
    | (?P<op>     \*\* | // | [-+*/^×·÷−⋅∗•–] | √ )
    | (?P<open>   [(（\[{] )
    | (?P<close>  [)）\]}] )
    | (?P<break>  [.,;:!?，。；：！？、|\t\n"“”‘’] | [→⇒] | -> | => )
    | (?P<space>  \ + )
    | (?P<other>  . )
    """
_OPERATOR_WORDS = ("乘以", "除以", "加上", "减去", "加", "减", "乘", "除", "mod", "plus", "minus", "times", "divided", "by", "xor")
"""Operators in words: what stands behind them is the end of an expression that is not read."""
_OPERATOR_SIGNS = frozenset("& % ^ @ ! ~ \\ << >>".split())
_BETWEEN = frozenset(("of", "to", "vs", "versus", "per", "over", "到"))
"""`38.6M of 124.4M = 31%`: a comparison of two numbers, which is no product."""
_LEADING = frozenset(
    "and or where with so thus then hence the a an is are for that this which of in we have get gives giving has to by".split()
)
"""Words that a label does not begin with."""
_ARTICLES = frozenset(("a", "I", "A"))
_SMALL_WORDS = frozenset(
    "is of to in on at be by or as an we so if it us then thus our the for and but not now you can are was has via one two any all see "
    "use how why its let set get out when with where here hence since each gives yields also".split()
)
"""Words of a sentence, which no formula has for a name."""


def runs(text: str) -> Iterator[Run]:
    """The statements in a line of running text, in order."""
    tokens = _tokens(text)
    at = behind = 0
    while at < len(tokens):
        if tokens[at].kind != "rel":
            at += 1
            continue
        run, at = _around(text, tokens, at, behind)
        behind = at
        if run is not None:
            yield run


@cache
def _pattern() -> re.Pattern[str]:
    """Its signs beyond ASCII take milliseconds to compile, which a document with all of its equations in mathematics need not wait for."""
    return re.compile(_TOKEN, re.VERBOSE | re.DOTALL)


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    for match in _pattern().finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        if kind in ("link", "plus"):
            kind = "other"
        if kind == "break" and match.group() == "." and _is_dot(text, match.start()):
            kind = "op"
        found.append(_Token(kind, match.group(), match.start(), match.end()))  # type: ignore[arg-type]
    return found


_ADDED = re.compile(r"(?:加上?|再加|\b(?:plus|adding|added to|together with))[^,，.。;；]{0,24}$", re.IGNORECASE)
"""Words before a number that say that it is added to what was said before."""


def _is_dot(text: str, at: int) -> bool:
    """A dot between two symbols without a space (`config.d`) joins them."""
    return text[at - 1 : at].isalpha() and text[at + 1 : at + 2].isalpha() and at > 0


def _around(text: str, tokens: list[_Token], relation: int, behind: int) -> tuple[Run | None, int]:
    """The run around a relation, and where to go on behind it."""
    end = relation
    while end < len(tokens) and tokens[end].kind == "rel":
        begin = end + 1
        while begin < len(tokens) and tokens[begin].kind == "rel":  # "= ~"
            begin += 1
        after = _operand_run(tokens, begin)
        if after == begin:
            break
        end = after
    if end == relation or _goes_on(tokens, end):
        return None, max(end, relation + 1)
    start, label, worded = _before(text, tokens, relation, behind)
    if start is None:  # a line that begins with a relation: its own first side counts
        first = _operand_run(tokens, relation + 1)
        if first >= end:
            return None, end
        return Run(tokens[relation + 1].start, tokens[end - 1].end, label, False), end
    lone = all(token.kind in ("number", "word", "cjk") for token in tokens[behind:relation] if token.start >= start)
    if lone and _ADDED.search(label):
        return None, end
    return Run(start, tokens[end - 1].end, label, worded), end


def _goes_on(tokens: list[_Token], end: int) -> bool:
    """Whether the last side is cut off where it could not be followed further."""
    if end >= len(tokens):
        return False
    after = tokens[end]
    before = tokens[end - 1]
    touching = after.start == before.end and (after.kind == "up" or (after.kind == "open" and before.kind in ("word", "close")))
    return (after.kind == "op" and after.text not in ("-", "–")) or touching


def _before(text: str, tokens: list[_Token], relation: int, behind: int) -> tuple[int | None, str, bool]:
    """Where the left side begins, not before `behind`, the words before it, and whether it is itself only words."""
    first = max(0, relation - MOST_TOKENS)
    boundary = relation
    while boundary > max(first, behind) and not _is_boundary(tokens[boundary - 1]):
        boundary -= 1
    for start in range(boundary, relation):
        if tokens[start].kind == "op" and not (_is_sign(tokens, start) or (start == boundary and tokens[start].text in ("-", "−"))):
            continue
        if _operand_run(tokens, start) == relation and not _cut_off(tokens, start):
            lone = start == relation - 1 and tokens[start].kind == "word" and not _is_symbol(tokens[start].text)
            if not lone:
                return tokens[start].start, _words(text, tokens, start, first), False
    called = _call_start(tokens, relation)
    if called is not None and called >= behind:
        return tokens[called].start, _words(text, tokens, called, first), True
    phrase = _phrase_start(tokens, relation, boundary)
    if phrase is None:
        return None, "", False
    return tokens[phrase].start, _words(text, tokens, phrase, first), True


def _is_sign(tokens: list[_Token], at: int) -> bool:
    """Whether an operator belongs to what follows only: a root, or the minus in `then -d`."""
    token, before, after = tokens[at], tokens[at - 1] if at else None, tokens[at + 1]
    apart = before is None or (before.end < token.start and before.text.lower() in _SMALL_WORDS)
    return token.text == "√" or (token.text in ("-", "−") and apart and after.start == token.end)


def _note_in_product(tokens: list[_Token], closing: int) -> bool:
    """`8 × (seq) 2048`: a bracket behind an operator is a note on what follows."""
    at = closing
    while at > 0 and tokens[at].kind != "open" and closing - at < 12:
        at -= 1
    return at > 0 and tokens[at].kind == "open" and tokens[at - 1].kind == "op"


def _call_start(tokens: list[_Token], relation: int) -> int | None:
    """`N(Q, K, V) = …`: where the name begins that has a list in brackets behind it."""
    if relation < 3 or tokens[relation - 1].kind != "close":
        return None
    at = relation - 2
    while at > 0 and relation - at < 16 and tokens[at].kind != "open":
        at -= 1
    touching = tokens[at].kind == "open" and tokens[at - 1].kind == "word" and tokens[at - 1].end == tokens[at].start
    return at - 1 if touching else None


def _cut_off(tokens: list[_Token], start: int) -> bool:
    """Whether the token before belongs to the same expression, which then could not be read as a whole."""
    before = tokens[start - 1] if start else None
    if before is None:
        return False
    if before.text.lower().endswith(_OPERATOR_WORDS) or before.text in _OPERATOR_SIGNS or before.text in ("x", "X"):
        return True
    if before.text.lower() in _BETWEEN and start > 1 and tokens[start - 2].kind in ("number", "word") and tokens[start].kind == "number":
        return True
    if tokens[start].kind == "number" and tokens[start + 1].kind == "open" and tokens[start + 1].start == tokens[start].end:
        return before.kind == "word" and before.text[:1].isupper()  # "RTX 4090(24GB)"
    if before.kind == "number" or (before.kind == "close" and _note_in_product(tokens, start - 1)):
        return True
    return before.kind in ("op", "up") or (before.end == tokens[start].start and before.kind in ("number", "word", "close", "math"))


def _is_boundary(token: _Token) -> bool:
    return token.kind in ("break", "rel")


def _phrase_start(tokens: list[_Token], relation: int, boundary: int) -> int | None:
    """The first of the words right before a relation: `Total parameters = `."""
    start = relation
    while start > boundary and relation - start < 8 and tokens[start - 1].kind in ("word", "cjk", "close", "open", "number", "math"):
        start -= 1
    while start < relation and (tokens[start].text.lower() in _LEADING or tokens[start].kind in ("close", "number")):
        start += 1
    kinds = [token.kind for token in tokens[start:relation]]
    return start if any(kind in ("word", "cjk", "math") for kind in kinds) else None


def _words(text: str, tokens: list[_Token], start: int, first: int) -> str:
    """The words of the same sentence before a place."""
    begin = start
    while (
        begin > first and tokens[begin - 1].text not in ("\n", "。", "；", ";", "!", "?", "|") and not _full_stop(text, tokens[begin - 1])
    ):
        begin -= 1
    return text[tokens[begin].start : tokens[start].start].strip() if begin < start else ""


def _full_stop(text: str, token: _Token) -> bool:
    return token.text == "." and text[token.end : token.end + 1] in ("", " ", "\n")


def _operand_run(tokens: list[_Token], start: int) -> int:
    """Where the expression that begins at `start` ends; `start` itself where none begins."""
    at = start
    end = start
    while at < len(tokens) and at - start < MOST_TOKENS:
        if tokens[at].text in ("-", "+", "−", "~", "√") and tokens[at].kind in ("op", "rel"):
            at += 1
            continue
        after = _operand(tokens, at)
        if after == at:
            break
        at = end = after
        while at < len(tokens) and (tokens[at].kind == "up" or tokens[at].text in ("%", "‰")):
            at = end = at + 1
        if tokens[at - 1].kind in ("up", "close"):
            at = end = _behind_unit(tokens, at)
        if at < len(tokens) and tokens[at].kind == "open" and tokens[at - 1].kind in ("number", "word"):
            at = end = _behind_note(tokens, at)
        if at >= len(tokens):
            break
        if _is_dash(tokens, at):
            break
        if tokens[at].kind == "op" or _is_times(tokens, at):
            at += 1
        elif not _juxtaposed(tokens, at):
            break
    return end


def _operand(tokens: list[_Token], at: int) -> int:
    """The place behind the operand at `at`, or `at`."""
    if at >= len(tokens):
        return at
    token = tokens[at]
    if token.kind == "number":
        return _behind_unit(tokens, at + 1)
    if token.kind == "math":
        return _behind_unit(tokens, at + 1)
    if token.kind == "word":
        return _behind_word(tokens, at)
    if token.kind == "cjk":
        return at + 1 if _beside_operator(tokens, at) else at
    if token.kind == "open":
        return _behind_group(tokens, at)
    return at


def _behind_unit(tokens: list[_Token], at: int) -> int:
    """Behind the scale and the unit that follow a number."""
    for _ in range(2):
        if at < len(tokens) and tokens[at].kind in ("word", "cjk"):
            word = tokens[at].text
            if _is_key(tokens, at):
                return at
            touching = tokens[at].start == tokens[at - 1].end
            if word in UNITS or (scale(word) is not None and (touching or len(word) > 1)):
                at += 1
                if (
                    at + 1 < len(tokens)
                    and tokens[at].text == "/"
                    and tokens[at + 1].kind == "word"
                    and tokens[at].start == tokens[at - 1].end
                ):
                    at += 2
                continue
            if counted := _counts(tokens, at):
                at += counted
                if at + 1 < len(tokens) and tokens[at].text == "/" and tokens[at + 1].kind == "word":
                    at += 2
                return at
            if tokens[at].kind == "cjk" and word[0] in "万亿千百个字层头倍次参":
                at += 1
        elif at < len(tokens) and tokens[at].text in ("%", "‰"):
            at += 1
    return at


def _counts(tokens: list[_Token], at: int) -> int:
    """`20 blocks ×`, `8 kv heads *`: how many words behind a number and before an operator say what is counted."""
    end = at
    while end < len(tokens) and end - at < 3 and tokens[end].kind == "word" and tokens[end].text.isalpha() and len(tokens[end].text) > 1:
        end += 1
    token, after = tokens[end - 1], tokens[end] if end < len(tokens) else None
    if end == at or after is None or tokens[at].start == tokens[at - 1].end:
        return 0
    stated = at > 1 and tokens[at - 2].kind == "rel"
    goes_on = after.text in ("×", "*", "·", "+", "/", "x") or (after.kind == "rel" and after.start > token.end and not stated)
    return end - at if goes_on else 0


def _behind_word(tokens: list[_Token], at: int) -> int:
    """Behind a word that can be an operand here: a symbol, or any word beside an operator."""
    word = tokens[at].text
    if word in FUNCTIONS and at + 1 < len(tokens) and tokens[at + 1].kind == "open":
        return _behind_group(tokens, at + 1)
    if word in ("x", "X") or word.lower() in _SMALL_WORDS:
        return at
    if word in ATTRIBUTE_OWNERS and at + 2 < len(tokens) and tokens[at + 1].text == ".":
        return at + 3
    if _is_symbol(word) or _beside_operator(tokens, at) or _letters_behind_number(tokens, at):
        return at + 1
    return at


def _beside_operator(tokens: list[_Token], at: int) -> bool:
    """Whether an operator stands right before or behind a word, and not as a hyphen."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    before = tokens[at - 1] if at else None
    after_is = after is not None and ((after.kind == "op" and not _hyphen(tokens[at], after)) or after.kind == "up")
    before_is = before is not None and before.kind == "op" and not _hyphen(before, tokens[at])
    return after_is or before_is


def _hyphen(left: _Token, right: _Token) -> bool:
    """Whether a dash touches a word: `per-token`, `12-layer`; or a slash between words."""
    return left.end == right.start and (left.text in "-–/" or right.text in "-–/")


def _is_symbol(word: str) -> bool:
    """Whether a word looks like a symbol of a formula: a letter, a subscripted name, a name of the vocabulary, capitals."""
    if word in _ARTICLES or word.lower() in _SMALL_WORDS:
        return False
    base = word.split("_")[0]
    if "_" in word:
        return len(base) == 1 or meant_by(word) is not None or is_word(base)
    if len(word) == 1 or meant_by(word) is not None:
        return True
    if len(word) <= 6 and word.isupper() and not is_word(word):
        return len(word) <= 3 or all(letter in "BTSDFNHKGVLECMPd" for letter in word)
    return len(word) <= 3 and not word.islower() and not is_word(word) and not is_subscript(word)


def _behind_note(tokens: list[_Token], at: int) -> int:
    """Behind words in brackets that touch a number: `10(norm/dropout)`; or `at`."""
    end = at + 1
    words = int(tokens[at].start > tokens[at - 1].end)  # with a space before it, single letters are words too
    while (
        end < len(tokens) and end - at < 10 and (tokens[end].kind in ("word", "cjk") or tokens[end].text in ("/", "-", ",", "、", ".", "!"))
    ):
        words += len(tokens[end].text) > 2 or tokens[end].kind == "cjk"
        end += 1
    return end + 1 if words and end < len(tokens) and tokens[end].kind == "close" else at


def _behind_group(tokens: list[_Token], at: int) -> int:
    """Behind a bracket whose inside is an expression, or `at`."""
    inside = _operand_run(tokens, at + 1) if at + 1 < len(tokens) else at
    if inside > at + 1 and inside < len(tokens) and tokens[inside].kind == "close":
        return inside + 1
    return at


def _is_key(tokens: list[_Token], at: int) -> bool:
    """`step=3 loss=2.3`: a word with an equals sign right behind it, and space before, begins a statement of its own."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is not None and after.kind == "rel" and after.start == tokens[at].end and tokens[at].start > tokens[at - 1].end


def _letters_behind_number(tokens: list[_Token], at: int) -> bool:
    """`4blh`, `24bsh`: a few letters that touch a number are a product."""
    token, before = tokens[at], tokens[at - 1] if at else None
    return before is not None and before.kind == "number" and before.end == token.start and len(token.text) <= 6 and token.text.isalpha()


def _is_whole(word: str) -> bool:
    """A word of the field without a subscript, which is multiplied only where an operator says so."""
    return "_" not in word and len(word) > 1 and is_word(word)


def _is_dash(tokens: list[_Token], at: int) -> bool:
    """`= 7.2M – much less`: a dash before words."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    spaced = after is not None and after.start > tokens[at].end
    return tokens[at].text in ("–", "—", "-") and after is not None and spaced and after.kind == "word" and not _is_symbol(after.text)


def _is_times(tokens: list[_Token], at: int) -> bool:
    return tokens[at].text in ("x", "X") and at + 1 < len(tokens) and tokens[at + 1].kind in ("number", "word", "open")


def _is_spaced_product(tokens: list[_Token], at: int) -> bool:
    """`+ 2 d (4d) =`: a bracket with a space before it, between an operator with a number and a relation."""
    if at < 3 or tokens[at - 1].kind != "word" or tokens[at - 2].kind != "number" or tokens[at - 3].kind not in ("op", "rel"):
        return False
    end = _behind_group(tokens, at)
    return end > at and end < len(tokens) and tokens[end].kind in ("rel", "op")


def _juxtaposed(tokens: list[_Token], at: int) -> bool:
    """Whether the token at `at` is multiplied with the one before it though no operator stands between."""
    token, before = tokens[at], tokens[at - 1]
    if token.kind == "open" and _is_spaced_product(tokens, at):
        return True
    if token.kind == "open":
        short = before.kind == "word" and (len(before.text) <= 3 or _letters_behind_number(tokens, at - 1))
        return (before.kind in ("number", "close", "up") or short) and before.end == token.start
    if token.kind == "word" and _letters_behind_number(tokens, at):
        return True
    if token.kind == "word" and _is_key(tokens, at):
        return False
    if token.kind == "word":
        if not _is_symbol(token.text) or _is_whole(token.text):
            return False
        if before.kind in ("word", "up", "close"):
            return before.kind != "word" or (_is_symbol(before.text) and not _is_whole(before.text))
        return before.kind == "number" and (token.start == before.end or _is_symbol(token.text))
    return token.kind == "math" and before.kind in ("number", "math", "up", "close")
