r"""Displayed mathematics on lines of its own in Markdown: `$$`, `\[`, `\\[`, `\begin{align}`, whatever its lines look like."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.documents.environments import DISPLAYED, INNER, Environment, environments
from derive.documents.lines import Line, joined
from derive.records import dataclass

_OPENING = re.compile(r"[ \t]*(\$\$|\\\\\[|\\\[|\\begin[ \t]*\{([A-Za-z]+)\*?\})")
_CLOSING = {"$$": re.compile(r"(?<!\\)\$\$"), r"\\[": re.compile(r"\\\\\]"), r"\[": re.compile(r"(?<!\\)\\\]")}
_BEHIND = re.compile(r"[ \t.,;:!。，；：、\x00]*(?:\{[#.:][^{}]*\}|\([\w:.-]{1,80}\))?[ \t.,;\x00]*\Z")
_NOT_INSIDE = re.compile(r"[ ]{0,3}(?:#{1,6}[ \t]|```|~~~)|[ \t]*(?:\\\[|\\\\\[(?!-?[\d.]+[ \t]*[a-z]{2}))")
MOST_LINES = 400
MOST_OPENED = 12
"""Environments within each other."""


@dataclass(frozen=True, slots=True)
class MathBlock:
    """A block of lines: the number of the line behind it, and where in its text the formula stands."""

    behind: int
    inside: int
    inside_end: int
    escaped: bool = False
    environment: Environment | None = None


def math_block(lines: Sequence[Line], at: int) -> MathBlock | None:
    """The displayed formula that has the lines from here for itself; the text is that of the lines joined."""
    opening = _OPENING.match(lines[at].text)
    if not opening:
        return None
    return _environment(lines, at, opening) if opening[2] else _delimited(lines, at, opening)


def _delimited(lines: Sequence[Line], at: int, opening: re.Match[str]) -> MathBlock | None:
    """Up to the closing mark; blank lines may stand inside only where the opening mark has a line for itself."""
    close = _CLOSING[opening[1]]
    before, start = 0, opening.end()
    alone = not lines[at].text[start:].strip()
    for number in range(at, min(at + MOST_LINES, len(lines))):
        text = lines[number].text
        if number > at and ((lines[number].blank and not alone) or _NOT_INSIDE.match(text)):
            return None
        found = close.search(text, start)
        if found:
            if not _BEHIND.match(text, found.end()) or (number == at and not text[start : found.start()].strip()):
                return None
            return MathBlock(number + 1, opening.end(), before + found.start(), escaped=opening[1] == r"\\[")
        before += len(text) + 1
        start = 0
    return None


def _environment(lines: Sequence[Line], at: int, opening: re.Match[str]) -> MathBlock | None:
    """Up to the `end` of the environment that begins here."""
    if opening[2] not in DISPLAYED and opening[2] not in INNER:
        return None
    end = rf"\end{{{opening[1].partition('{')[2]}"
    depth = opened = 0
    for number in range(at, min(at + MOST_LINES, len(lines))):
        text = lines[number].text
        depth += text.count(opening[1]) - text.count(end)
        opened += text.count(r"\begin") - text.count(r"\end")
        if opened > MOST_OPENED:
            return None
        if depth <= 0:
            found = environments(joined(lines[at : number + 1]).text).get(opening.start(1))
            behind = text.rpartition(end)[2]
            return MathBlock(number + 1, 0, 0, environment=found) if found and _BEHIND.match(behind) else None
    return None
