"""Formulas in running text: stretches of numbers, operators and symbols around a relation, and the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from derive.checker.equations.runs.beginnings import beginning
from derive.checker.equations.runs.operands import end_of_expression
from derive.checker.equations.runs.tokens import Token, tokens_of
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a text that writes a statement, from `start` to `end`, the words before it; `worded` where its left side is words."""

    start: int
    end: int
    label: str
    worded: bool = False


def runs(text: str) -> Iterator[Run]:
    """The statements in a line of running text, in order."""
    tokens = tokens_of(text)
    at = behind = 0
    while at < len(tokens):
        if tokens[at].kind != "rel":
            at += 1
            continue
        run, at = _around(text, tokens, at, behind)
        behind = at
        if run is not None:
            yield run


_ADDED = re.compile(r"(?:加上?|再加|\b(?:plus|adding|added to|together with))[^,，.。;；]{0,24}$", re.IGNORECASE)
"""Words before a number that say that it is added to what was said before."""


def _around(text: str, tokens: list[Token], relation: int, behind: int) -> tuple[Run | None, int]:
    """The run around a relation, and where to go on behind it."""
    end = relation
    while end < len(tokens) and tokens[end].kind == "rel":
        begin = end + 1
        while begin < len(tokens) and tokens[begin].kind == "rel":  # "= ~"
            begin += 1
        after = end_of_expression(tokens, begin)
        if after == begin:
            break
        end = after
    if end == relation or _goes_on(tokens, end):
        return None, max(end, relation + 1)
    start, label, worded = beginning(text, tokens, relation, behind)
    if start is None:  # a line that begins with a relation: its own first side counts
        first = end_of_expression(tokens, relation + 1)
        if first >= end:
            return None, end
        return Run(tokens[relation + 1].start, tokens[end - 1].end, label, False), end
    lone = all(token.kind in ("number", "word", "cjk") for token in tokens[behind:relation] if token.start >= start)
    if lone and _ADDED.search(label):
        return None, end
    return Run(start, tokens[end - 1].end, label, worded), end


def _goes_on(tokens: list[Token], end: int) -> bool:
    """Whether the last side is cut off where it could not be followed further."""
    if end >= len(tokens):
        return False
    after = tokens[end]
    before = tokens[end - 1]
    touching = after.start == before.end and (after.kind == "up" or (after.kind == "open" and before.kind in ("word", "close")))
    return (after.kind == "op" and after.text not in ("-", "–")) or touching
