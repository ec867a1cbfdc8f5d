"""Which `*`, `_` and `~~` of a text mark emphasis; those that multiply or stand inside a name stay."""

from __future__ import annotations

import re
from collections.abc import Iterable

_RUN = re.compile(r"\*+|_+|~~+")


def marks(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans of marks to leave out, in order; only what stands within `spans` (the words) is looked at."""
    opened: dict[str, list[list[int]]] = {"*": [], "_": [], "~": []}
    found: list[tuple[int, int]] = []
    for start, end in spans:
        for run in _RUN.finditer(text, start, end):
            _match(text, run.start(), run.end(), opened[run[0][0]], found)
    return sorted(found)


def _match(text: str, start: int, end: int, opened: list[list[int]], found: list[tuple[int, int]]) -> None:
    """Closes what this run can close, and keeps the rest of it as an opening mark where it can be one."""
    opens, closes = _sides(text, start, end, bool(opened))
    while closes and opened and start < end:
        mark = opened[-1]  # the place and the end of the last open mark; used from its end
        size = min(mark[1] - mark[0], end - start)
        found.append((mark[1] - size, mark[1]))
        found.append((start, start + size))
        mark[1] -= size
        start += size
        if mark[0] == mark[1]:
            opened.pop()
    if opens and start < end:
        opened.append([start, end])


def _sides(text: str, start: int, end: int, inside: bool) -> tuple[bool, bool]:
    """Whether a run of marks may open and may close emphasis."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    mark, double = text[start], end - start > 1
    if _is_name(before) and _is_name(after):
        closes = mark == "*" and double and inside and before.isalpha() and after.isalpha()
        return False, closes
    if mark == "_" and (before.isalnum() and after.isalnum()):
        return False, False
    opens, closes = not after.isspace(), not before.isspace()
    if double and mark != "_":  # `参数**（共享）**` is bold to everybody but CommonMark
        return opens and not (closes and inside), closes
    left = opens and (after.isalnum() or not before.isalnum())
    right = closes and (before.isalnum() or not after.isalnum())
    if mark == "_":
        return left and not before.isalnum(), right and not after.isalnum()
    return left and not _is_name(before) and before not in ")]}", right and not _is_name(after)


def _is_name(letter: str) -> bool:
    """Whether a letter may stand in the name of a variable or in a number."""
    return letter.isascii() and letter.isalnum()
