"""One rule for each kind of block: how the readers of Markdown and of reStructuredText go through lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from derive.documents.lines import Line

DEEPEST = 20
"""Quotes, lists and directives within each other beyond this depth are words."""

R = TypeVar("R")
Rule: TypeAlias = Callable[[R, Sequence[Line], int, int], int]
"""Reads the block that begins at a line, and gives the number of the line behind it; 0 when it is none of this kind."""


def read_blocks(reader: R, lines: Sequence[Line], depth: int, rules_at: Callable[[Line], Sequence[Rule[R]]]) -> None:
    """Block after block, each by the first rule that reads it; of the rules at a line the last reads anything."""
    at = 0
    while at < len(lines):
        if lines[at].blank:
            at += 1
            continue
        for rule in rules_at(lines[at]):
            behind = rule(reader, lines, at, depth)
            if behind:
                at = behind
                break
