"""A line of tokens as the items that definitions are made of: names, wordings, numbers, the verbs between them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Literal

from derive.checker.glossary.lines.tokens import Line, Token
from derive.checker.glossary.wordings.automaton import Automaton
from derive.checker.glossary.wordings.phrases import Wording, match
from derive.checker.glossary.words import meaning_of_word
from derive.records import dataclass

ItemKind = Literal["name", "wording", "number", "link", "separator", "open", "close", "operator", "filler", "word", "opaque", "end"]

Link = Literal["is", "denotes", "back", "each", "=", ":", "-"]
"""is: either way round; denotes: the name first; back: the name last; each: several names, several meanings."""

_LINKS: tuple[tuple[str, Link], ...] = (
    ("is|are|as|be|being|为|是|即|即为|就是|is~defined~as|are~defined~as", "is"),
    (
        "denotes|denote|denoting|represents|represent|representing|indicates|indicate|means|stands~for|refers~to|is~used~to~denote|corresponds~to|for~the",
        "denotes",
    ),
    ("表示|代表|指|指的是|代表着|对应|是指|用于表示|用来表示", "denotes"),
    ("of|by|called|denoted [by|as]", "back"),
    ("is|are denoted [by|as]", "back"),
    ("记为|记作|设为|用|写作|定义为|设定为|计为|标记为|表示为|记", "back"),
    ("分别 为|是|表示|代表|指|对应|代表着|是指", "each"),
)
_FILLERS = set(
    """the a an its our their this that just simply usually typically also both total overall current given same corresponding
    respective fixed model's transformer's network's transformer your standard usual actual 的 该 所""".split()
)
_SIGN_LINKS: dict[str, Link] = {"=": "=", ":": ":", "：": ":", "—": "-", "–": "-", "→": "-", "≜": "=", "≡": "="}
_SEPARATORS = set(",;，；、&|•") | {"and", "or", "和", "与", "及", "或"}
_ENDS = set(".。!?！？")
_OPERATORS = set("+*/^×·÷−<>≤≥~≈∝%∼√∑→⋅≃±@")
_UNITS = set(
    """% k m b t g kb mb gb tb pb kib mib gib tib gbs bytes byte bits bit x million billion trillion thousand percent flops tflops
    pflops gflops seconds second ms s us hours hour days day 万 亿 千 百 倍 年 月 日 秒 个百分点""".split()
)


@dataclass(frozen=True, slots=True)
class Item:
    """A run of tokens, from `first` up to `last`, and what it is in a definition."""

    kind: ItemKind
    text: str
    first: int
    last: int
    marked: bool = False
    value: Fraction | None = None
    wording: Wording | None = None
    link: Link | None = None


END = Item("end", "", 0, 0)


def items_of(line: Line) -> list[Item]:
    """The items of a line, names that are given a number joined with it."""
    words = [token.text.lower().replace("’", "'") if token.kind in ("word", "sign") else "" for token in line.tokens]
    silent = {at for at, word in enumerate(words) if word in ("-", "–", "/") and line.glued(at) and line.glued(at + 1)}
    found: list[Item] = []
    at = 0
    while at < len(words):
        item = _item(line, words, silent, at)
        found.append(item)
        at = item.last
    return _with_values(found)


def _item(line: Line, words: list[str], silent: set[int], at: int) -> Item:
    token = line.tokens[at]
    if token.kind == "name":
        return Item("name", token.text, at, at + 1, token.marked)
    if token.kind == "number":
        return _number(line, words, at)
    if token.kind == "opaque":
        return Item("opaque", "", at, at + 1)
    if token.kind == "sign":
        return _sign(line, words, silent, at)
    return _word(line, words, silent, at)


def _word(line: Line, words: list[str], silent: set[int], at: int) -> Item:
    token, word = line.tokens[at], words[at]
    named = match(words, at, silent)
    if named is not None and not (token.marked and named[1] == at + 1 and len(word) == 1):
        return Item("wording", word, at, named[1], wording=named[0])
    if word == "a" and not token.marked and _is_article(line, words, at):
        return Item("filler", word, at, at + 1)
    if _is_name(token):
        return Item("name", token.text, at, at + 1, token.marked)
    linked = _links().longest(words, at)
    if linked is not None:
        return Item("link", word, at, linked[1], link=linked[0])
    if word in _SEPARATORS:
        return Item("separator", word, at, at + 1)
    return Item("filler" if word in _FILLERS else "word", word, at, at + 1)


def _is_article(line: Line, words: list[str], at: int) -> bool:
    """Whether a word that is no verb follows: "a function", but not "a is the number of heads"."""
    following = line.tokens[at + 1] if at + 1 < len(words) else None
    return following is not None and following.kind == "word" and len(following.text) > 1 and _links().longest(words, at + 1) is None


def _is_name(token: Token) -> bool:
    """A letter, a name with an underscore, or in code a word that names a size."""
    text = token.text
    if not text.isascii():
        return False
    return len(text) == 1 or "_" in text.strip("_") or (meaning_of_word(text) is not None and (token.marked or text.lower() in _BARE_WORDS))


_BARE_WORDS = set("dmodel dff dffn nlayers nlayer nheads nhead nvocab nctx dkv dhead seqlen nembd vocabsize".split())


def _sign(line: Line, words: list[str], silent: set[int], at: int) -> Item:
    sign = words[at]
    if sign == "#":
        named = match(words, at, silent)
        if named is not None:
            return Item("wording", sign, at, named[1], wording=named[0])
    if sign in _SIGN_LINKS:
        return Item("link", sign, at, at + 1, link=_SIGN_LINKS[sign])
    if sign == "-":
        glued = line.glued(at) or line.glued(at + 1)
        return Item("operator", sign, at, at + 1) if glued else Item("link", sign, at, at + 1, link="-")
    kind: ItemKind = "opaque"
    if sign in _SEPARATORS:
        kind = "separator"
    elif sign in _ENDS:
        kind = "end"
    elif sign in "(（":
        kind = "open"
    elif sign in ")）":
        kind = "close"
    elif sign in _OPERATORS:
        kind = "operator"
    return Item(kind, sign, at, at + 1)


def _number(line: Line, words: list[str], at: int) -> Item:
    """A whole number without a unit; with `k` behind it, a thousand times as large and marked."""
    value = line.tokens[at].value
    following = words[at + 1] if at + 1 < len(words) else ""
    glued = line.glued(at + 1) and line.tokens[at + 1].kind == "word" and following.isascii()
    if following == "k" and glued and value is not None and value.denominator == 1:
        return Item("number", "k", at, at + 2, value=value)
    names_what_follows = at + 2 < len(words) and words[at + 2] in ("=", ":")
    if glued or (following in _UNITS and not names_what_follows):
        return Item("opaque", "", at, at + 2)
    whole = value is not None and value.denominator == 1
    return Item("number", "", at, at + 1, value=value) if whole else Item("opaque", "", at, at + 1)


def _with_values(items: list[Item]) -> list[Item]:
    """`d`, `=`, `4096` → d with the value 4096, unless the number goes on as a formula."""
    found: list[Item] = []
    for at, item in enumerate(items):
        if item.kind == "number" and item.text == "" and len(found) >= 2 and found[-1].link in ("=", ":") and found[-2].kind == "name":
            following = items[at + 1] if at + 1 < len(items) else END
            before = found[-3] if len(found) > 2 else END
            if following.kind != "operator" and before.kind != "operator" and following.link != "=":
                name = found[-2]
                found[-2:] = [replace(name, last=item.last, value=item.value)]
                continue
        found.append(item)
    return found


@cache
def _links() -> Automaton[Link]:
    return Automaton(_LINKS)
