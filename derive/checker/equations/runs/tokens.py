"""A line of running text → its tokens."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from derive.records import dataclass

Kind = Literal["number", "word", "cjk", "op", "rel", "open", "close", "up", "math", "break", "other"]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line, from `start` to `end`."""

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


@cache
def _pattern() -> re.Pattern[str]:
    """Its signs beyond ASCII take milliseconds to compile, which a document with all of its equations in mathematics need not wait for."""
    return re.compile(_TOKEN, re.VERBOSE | re.DOTALL)


def tokens_of(text: str) -> list[Token]:
    """The tokens of a line, without its spaces."""
    found: list[Token] = []
    for match in _pattern().finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        if kind in ("link", "plus"):
            kind = "other"
        if kind == "break" and match.group() == "." and _is_dot(text, match.start()):
            kind = "op"
        found.append(Token(kind, match.group(), match.start(), match.end()))  # type: ignore[arg-type]
    return found


def _is_dot(text: str, at: int) -> bool:
    """A dot between two symbols without a space (`config.d`) joins them."""
    return text[at - 1 : at].isalpha() and text[at + 1 : at + 2].isalpha() and at > 0
