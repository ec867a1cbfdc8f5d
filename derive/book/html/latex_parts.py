"""Where a formula in LaTeX may be parted: at marks that stand inside of nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

_OPENING, _CLOSING = ("{", "(", "[", r"\left"), ("}", ")", "]", r"\right")
_MARKS = re.compile(r"\\[A-Za-z]+|\\.|[{}()\[\]=&]", re.DOTALL)


def outer_marks(latex: str, wanted: Collection[str]) -> Iterator[re.Match[str]]:
    """The wanted commands and signs that no bracket holds."""
    depth = 0
    for mark in _MARKS.finditer(latex):
        depth += mark[0] in _OPENING
        depth -= mark[0] in _CLOSING
        if depth == 0 and mark[0] in wanted:
            yield mark


def parted_at(latex: str, wanted: Collection[str]) -> list[str]:
    """The pieces between those marks."""
    found, start = [], 0
    for mark in outer_marks(latex, wanted):
        found.append(latex[start : mark.start()].strip())
        start = mark.end()
    return [*found, latex[start:].strip()]


def parted_before(latex: str, wanted: Collection[str]) -> list[str]:
    """The pieces that begin with those marks, and what stands before the first."""
    cuts = [0, *(mark.start() for mark in outer_marks(latex, wanted) if mark.start()), len(latex)]
    return [latex[start:end].strip() for start, end in pairwise(cuts)]
