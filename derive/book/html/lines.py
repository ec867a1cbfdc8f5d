"""Aligned lines as HTML: a grid of left sides, right sides and reasons, which a narrow screen shows one below the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markdown_it.token import Token

from derive.book import page_words
from derive.book.html.latex_parts import parted_at
from derive.book.html.mathml import mathml
from derive.book.html.page import HtmlPage

NARROW, BESIDE = 40, 12
"""About how many letters a narrow screen has room for, and a left side that others stand beside."""
_ALIGNED = re.compile(r"\\begin\{aligned\}((?:(?!\\begin\{).)*)\\end\{aligned\}", re.DOTALL)
_REASON = re.compile(r"\\q?quad\s*(.*)", re.DOTALL)
_ASIDE = re.compile(r"\\qquad\s*[(（].*|\\qquad\s*\\text.*", re.DOTALL)
_SPACE = re.compile(r"^\s*(?:\\thinspace(?![A-Za-z])|\\,)")
"""That TeX needs behind Chinese words; they have one of their own."""
_COMMAND = re.compile(r"\\[A-Za-z]+")


Words: TypeAlias = Callable[[Sequence[Token]], str]
"""Writes the words and formulas of a sentence."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a derivation: its sides, of which it may continue the line before, and its reason; that alone stands below a line."""

    left: str
    right: str
    reason: str


def lines_html(latex: str, page: HtmlPage, words: Words) -> str | None:
    """The grid; `None` where the display is not one of aligned lines, each with at most a reason behind it."""
    lines = _lines(latex.strip())
    if not lines:
        return None
    left = max(_letters(line.left) for line in lines)
    right = max(_letters(line.right) for line in lines)
    stacked = " stacked" if left > BESIDE or left + right > NARROW else ""
    return "\n".join((f'<div class="lines{stacked}">', *(_cells(line, page, words) for line in lines), "</div>\n"))


def _lines(latex: str) -> list[Line]:
    """The lines; none where the LaTeX is something else."""
    aligned = _ALIGNED.fullmatch(latex)
    rows = [parted_at(row, ("&",)) for row in parted_at(aligned[1], (r"\\", r"\cr"))] if aligned else []
    return [_line(*row) for row in rows] if all(len(row) == 2 or (len(row) == 4 and not row[2]) for row in rows) else []


def _line(left: str, right: str, between: str = "", reason: str = "") -> Line:
    return Line("", "", right) if not left and _ASIDE.fullmatch(right) else Line(left, right, reason)


def _cells(line: Line, page: HtmlPage, words: Words) -> str:
    """A line's cells, in the order in which they are read."""
    cells = [f'<div class="left">{mathml(line.left, large=True)}</div>'] if line.left else []
    if line.right:
        start = page.box("right", page_words.FORMULA) if _letters(line.right) > NARROW else '<div class="right">'
        cells.append(f"{start}{mathml(line.right, large=True)}</div>")
    if line.reason:
        brackets = "（）" if page.language == "zh" else "()"
        cells.append(f'<div class="why{"" if line.right else " below"}">{words(_reason(line.reason, brackets))}</div>')
    return "".join(cells)


def _reason(latex: str, brackets: str) -> list[Token]:
    """A reason as words and formulas, which break where words do, in the brackets of its language where it has some."""
    given = _REASON.fullmatch(latex)
    inner = given[1] if given else latex
    if inner.startswith("(") and inner.endswith(")"):
        return [_token("text", brackets[0]), *_sentence(inner[1:-1]), _token("text", brackets[1])]
    return _sentence(inner)


def _sentence(latex: str) -> list[Token]:
    parts = re.split(r"\\text\{([^{}]*)\}", latex)
    if any(part.count("{") != part.count("}") for part in parts):
        return [_token("math_inline", latex)]
    found = [_token("text", part) if at % 2 else _token("math_inline", _SPACE.sub("", part).strip()) for at, part in enumerate(parts)]
    return [token for token in found if token.content]


def _token(kind: str, content: str) -> Token:
    return Token(kind, "", 0, content=content)


def _letters(latex: str) -> int:
    """About how wide a formula is [letters]."""
    return len(re.sub(r"[{}_^\\]", "", _COMMAND.sub("x", latex.replace(r"\mathrm", ""))))
