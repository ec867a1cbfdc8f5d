r"""A stretch of LaTeX → what it says in the simple way of definitions: names, numbers, words, and `=` between them.

`d_{\text{model}}=4096,\quad L=32` is name `=` number `,` name `=` number; whatever is more than that is opaque.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from derive.checker.glossary.lines.names import name_of
from derive.records import dataclass

LONGEST = 1_000
"""Characters of mathematics that are looked into."""

_CUT = re.compile(
    r"\\\\|\\q?quad(?![A-Za-z])|\\(?:cr|newline)(?![A-Za-z])|\{,\}|\\begin\{[a-z*]+\}|\\end\{[a-z*]+\}|\\[A-Za-z]+|\\.|[{}=:,;&，；、：()（）]"
)
_BREAKS = {r"\\", r"\quad", r"\qquad", r"\cr", r"\newline", "&", ",", ";", "，", "；", "、"}
_LINKS = {"=": "=", ":": ":", "：": ":"}
_NUMBER = re.compile(r"\d{1,3}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)|\d+")
_TEXT = re.compile(r"\\(?:text|textrm|mathrm|textit|mbox)\s*\{([^{}]*)\}")

PartKind = Literal["name", "number", "sign", "opaque", "words"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the mathematics, from `start` to `end`; `text` is a name, a number, a sign or words."""

    kind: PartKind
    text: str
    start: int
    end: int
    value: Fraction | None = None


def math_tokens(latex: str) -> Iterator[Part]:
    """The parts of `latex` in order."""
    if len(latex) > LONGEST:
        yield Part("opaque", "", 0, len(latex))
        return
    at = 0
    for start, end, sign in (*_cuts(latex), (len(latex), len(latex), "")):
        if latex[at:start].strip():
            yield _part(latex, at, start)
        if sign:
            yield Part("sign", sign, start, end)
        at = end


def _cuts(latex: str) -> Iterator[tuple[int, int, str]]:
    """Where the mathematics is cut outside of brackets, and the sign that each cut stands for."""
    depth = 0
    for match in _CUT.finditer(latex):
        sign = match.group()
        if sign in "{(（":
            depth += 1
        elif sign in "})）":
            depth -= 1
        elif depth == 0 and (sign in _BREAKS or sign.startswith((r"\begin", r"\end"))) and not _groups_digits(latex, match):
            yield match.start(), match.end(), ","
        elif depth == 0 and sign in _LINKS:
            yield match.start(), match.end(), _LINKS[sign]


def _groups_digits(latex: str, match: re.Match[str]) -> bool:
    """Whether a comma stands inside of a number such as 50,257."""
    before, after = latex[match.start() - 1 : match.start()], latex[match.end() : match.end() + 4]
    return match.group() == "," and before.isdigit() and after[:3].isdigit() and not after[3:].isdigit()


def _part(latex: str, start: int, end: int) -> Part:
    while start < end and latex[start].isspace():
        start += 1
    while end > start and latex[end - 1].isspace():
        end -= 1
    text = latex[start:end]
    if _NUMBER.fullmatch(text) and len(text) < 30:
        return Part("number", text, start, end, Fraction(re.sub(r"\D", "", text)))
    name = name_of(text)
    words = _TEXT.fullmatch(text)
    if words and (name is None or " " in words[1].strip()):
        return Part("words", words[1], start + text.index("{") + 1, end - 1)
    return Part("name", name, start, end) if name else Part("opaque", text, start, end)
