"""Words within a line of HTML: names stay in one piece, and Chinese has no spaces where its own letters meet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any
from unicodedata import east_asian_width

from markdown_it.token import Token

from derive.book.markdown import UNIT_SPACE

LONGEST_NAME = 24
"""Letters of a name for which every screen has room."""
_WIDE_MARKS = tuple("，。：；、（）！？")
_HYPHENED = re.compile(r"[A-Za-z0-9][A-Za-z0-9.]*(?:-[A-Za-z0-9.]*[A-Za-z0-9])+")
_OF_A_NAME = re.compile(r"\d|.[A-Z]")
_OPENING = re.compile(r"([(\[（“‘]+) ?$")
_CLOSING = re.compile(r"(?: (?=[，。：；、）！？]))?([^\w\s(\[（“‘–—-]{1,3})(?:(?<=[，。：；、）！？]) $)?")
"""Marks that touch a formula, and the spaces at wide ones, which only Markdown needs."""
_CONJUNCTION = re.compile(r"(?<=[与和的])(?=.)")


def words_html(words: str) -> str:
    """Words; names such as `LLaMA-7B` do not break at their hyphens."""
    found, start = [], 0
    for name in _HYPHENED.finditer(words):
        if _OF_A_NAME.search(name[0]) and len(name[0]) <= LONGEST_NAME:
            found += [escape(words[start : name.start()]), f'<span class="whole">{name[0]}</span>']
            start = name.end()
    return "".join(found) + escape(words[start:])


def whole(before: str, math: str, after: str) -> str:
    """A formula and the marks that touch it, in one piece."""
    return f'<span class="whole">{escape(before)}{math}{escape(after)}</span>' if before or after else math


def bind(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens of a line; marks that touch a formula go to it, since browsers break lines between the two."""
    for before, formula, after in zip([None, *tokens][:-1], tokens, [*tokens, None][1:], strict=True):
        if formula.type != "math_inline":
            continue
        if before and before.type == "text" and (opening := _OPENING.search(before.content)):
            formula.meta["before"], before.content = opening[1], before.content[: opening.start()]
        if after and after.type == "text" and (closing := _CLOSING.match(after.content)):
            formula.meta["after"], after.content = closing[1], after.content[closing.end() :]
    return tokens


def text(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Words without the spaces that only Markdown needs, between Chinese and a link or a formula."""
    words = tokens[at].content
    if at + 1 < len(tokens) and words.endswith(" ") and _touches(words[-2:-1], tokens, at + 1):
        words = words[:-1]
    if at and words.startswith(" ") and tokens[at - 1].type == "link_close" and _wide(words[1:2]) and _wide(tokens[at - 2].content[-1:]):
        words = words[1:]
    made = words_html(UNIT_SPACE.sub("\u00a0", words))
    return _CONJUNCTION.sub("<wbr>", made) if env.get("heading") else made


def _touches(letter: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a letter needs no space before what follows it: a formula after a wide mark, or a link that begins in Chinese."""
    if tokens[at].type == "math_inline":
        return letter in _WIDE_MARKS
    return tokens[at].type == "link_open" and _wide(letter) and _wide(tokens[at + 1].content[:1])


def _wide(letter: str) -> bool:
    return letter != "" and east_asian_width(letter) in "WF"
