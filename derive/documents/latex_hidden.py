"""The comments of a LaTeX source, and the places where a percent sign or a dollar is nothing but itself: verbatim text."""

from __future__ import annotations

import re

from derive.documents.document import Comment
from derive.documents.placed import MASK
from derive.records import dataclass

_START = re.compile(
    r"\\verb\*?(?P<bar>[^A-Za-z*\s])[^\n]*?(?P=bar)|\\(?:lstinline|mintinline)(?:\[[^\]\n]*\])?(?:\{\w*\})?"
    r"(?:\{[^{}\n]*\}|(?P<mark>[|!+@/])[^\n]*?(?P=mark))"
    r"|\\begin[ \t]*\{(?P<code>(?:[BL]?[vV]erbatim|lstlisting|minted|alltt)\*?)\}"
    r"|\\begin[ \t]*\{(?P<comment>comment|tikzpicture|filecontents\*?)\}"
    r"|\\(?P<false>iffalse)(?![A-Za-z])|(?P<percent>%)|\\[\s\S]"
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A LaTeX source, as long as before, with its comments masked; them; and the spans of its verbatim text by their start."""

    text: str
    comments: tuple[Comment, ...]
    verbatim: dict[int, int]


def hide(source: str) -> Hidden:
    """One pass over the source."""
    spans: list[tuple[int, int]] = []
    comments: list[Comment] = []
    verbatim: dict[int, int] = {}
    at = 0
    while match := _START.search(source, at):
        start, at = match.start(), match.end()
        if match["percent"]:
            at = _line_end(source, start)
            comments.append(Comment(source[start:at].lstrip("%").strip(), start))
            spans.append(_masked_line(source, start, at))
        elif match["code"]:
            at = _behind(source, f"\\end{{{match['code']}}}", at)
            verbatim[start] = at
        elif match["comment"] or match["false"]:
            at = _behind(source, r"\fi" if match["false"] else f"\\end{{{match['comment']}}}", at)
            spans.append((start, at))
        elif match[0].startswith((r"\verb", r"\lst", r"\mint")):
            verbatim[start] = at
    text = _mask_with_line_ends(source, spans)
    return Hidden(text, tuple(comments), verbatim)


def _line_end(source: str, at: int) -> int:
    end = source.find("\n", at)
    end = len(source) if end < 0 else end
    return end - 1 if source[end - 1 : end] == "\r" and end - 1 > at else end


def _masked_line(source: str, start: int, end: int) -> tuple[int, int]:
    """The span of a comment; with the end of its line where that holds nothing else."""
    line = source.rfind("\n", 0, start) + 1 if start else 0
    if source[line:start].strip(" \t") or (start - line) > 1000:
        return start, end
    behind = source.find("\n", end)
    return line, (behind + 1 if behind >= 0 else end)


def _behind(source: str, mark: str, at: int) -> int:
    """The place behind a mark; the end of the source where it is missing, as LaTeX has it."""
    found = source.find(mark, at)
    return found + len(mark) if found >= 0 else len(source)


def _mask_with_line_ends(source: str, spans: list[tuple[int, int]]) -> str:
    """Comments on lines of their own are masked with their line ends: they do not end a paragraph."""
    parts, done = [], 0
    for start, end in spans:
        parts += [source[done:start], MASK * (end - start)]
        done = end
    return "".join((*parts, source[done:]))
