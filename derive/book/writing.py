r"""Equations and derivations as LaTeX, in two dialects: for LaTeX itself and for Markdown.

Markdown eats a backslash before punctuation, so that dialect has `\thinspace` for `\,` and `\cr` for `\\`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from derive.derivation import Derivation
from derive.formula.inline import inline
from derive.formula.tidy import split
from derive.formula.tree import Formula, Sum
from derive.formula.write import write_latex, write_markdown, write_text

PAGE = 74
"""The width of the page, in widths of a letter."""

_SIGNS = {"=": "=", "≈": r"\approx", "→": r"\to"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How formulas and line ends are written."""

    write: Callable[[Formula], str]
    line_end: str


LATEX = Dialect(write_latex, r"\\")
MARKDOWN = Dialect(write_markdown, r"\cr")


def derivation_latex(derivation: Derivation, language: str) -> str:
    """A derivation as a LaTeX display."""
    return "\\[\n" + aligned(derivation, language, LATEX) + "\n\\]"


def derivation_markdown(derivation: Derivation, language: str) -> str:
    """A derivation as a Markdown display."""
    return display(aligned(derivation, language, MARKDOWN))


def display(body: str) -> str:
    """A display in Markdown, set off from the text around it."""
    return f"\n$$\n{body}\n$$\n"


def aligned(derivation: Derivation, language: str, dialect: Dialect) -> str:
    """Lines aligned at their relations, the reason behind each, or under it where a line would be too wide."""
    left = breadth(write_text(derivation.left)) + 3
    reasons = [breadth(inline(line.why.in_(language), write_text)) for line in derivation.lines]
    formulas = [breadth(write_text(line.formula)) for line in derivation.lines]
    beside = left + max(formulas) + 3 + max(reasons) <= PAGE
    rows = []
    for at, line in enumerate(derivation.lines):
        reason = sentence(line.why.in_(language), dialect)
        first, *more = folded(line.formula, dialect, PAGE - left)
        start = f"{dialect.write(derivation.left) if at == 0 else ''} &{_SIGNS[line.relation]} {first}".lstrip()
        if beside:
            rows.append(f"{start} &&\\quad {reason}")
        else:
            rows += [start, *(f"&\\quad {row}" for row in more), f"&\\qquad ({reason})"]
    return environment(rows, dialect)


def environment(rows: Sequence[str], dialect: Dialect) -> str:
    """Rows in an `aligned` environment."""
    return "\\begin{aligned}\n" + f" {dialect.line_end}\n".join(rows) + "\n\\end{aligned}"


def chain(left: Formula, rights: Sequence[Formula], dialect: Dialect) -> str:
    """`left = right = right`, each under the other where they are wide together."""
    if sum(breadth(write_text(formula)) + 3 for formula in (left, *rights)) <= PAGE:
        return " = ".join(dialect.write(formula) for formula in (left, *rights))
    room = PAGE - breadth(write_text(left)) - 3
    rows = []
    for at, right in enumerate(rights):
        first, *more = folded(right, dialect, room)
        rows += [f"{dialect.write(left) if at == 0 else ''} &= {first}".lstrip(), *(f"&\\quad {row}" for row in more)]
    return environment(rows, dialect)


def folded(formula: Formula, dialect: Dialect, room: float) -> list[str]:
    """A sum that is wider than the room, broken before a sign; anything else on one line."""
    if not isinstance(formula, Sum) or breadth(write_text(formula)) <= room:
        return [dialect.write(formula)]
    rows: list[list[Formula]] = [[]]
    for term in formula.terms:
        if rows[-1] and breadth(write_text(Sum((*rows[-1], term)))) > room:
            rows.append([])
        rows[-1].append(term)
    first, *more = (dialect.write(Sum(tuple(row))) if len(row) > 1 else dialect.write(row[0]) for row in rows)
    signs = ["" if split(row[0])[0] < 0 else "{} + " for row in rows[1:]]
    return [first, *(sign + row for sign, row in zip(signs, more, strict=True))]


def breadth(text: str) -> float:
    """About how wide a formula or a phrase is on the page, in widths of a letter."""
    width, small = 0.0, False
    for letter in text:
        small = letter == "_" or (small and letter.isalnum())
        if letter == "·":
            width += 0.4
        elif letter != "_":
            width += 1.9 if east_asian_width(letter) in "WF" else 0.65 if small or letter in "⁰¹²³⁴⁵⁶⁷⁸⁹" else 1
    return width


def with_formulas(text: str, dialect: Dialect) -> str:
    """A sentence of Markdown, what stands between backticks in it as mathematics."""
    return inline(text, dialect.write, lambda formula: f"${formula}$")


def sentence(text: str, dialect: Dialect) -> str:
    """A phrase inside a display: words upright, formulas as formulas."""
    parts = [part if at % 2 else _upright(part) for at, part in enumerate(_marked(text, dialect).split("\0"))]
    return "".join(parts)


def _marked(text: str, dialect: Dialect) -> str:
    return inline(text, dialect.write, lambda formula: f"\0{formula}\0")


def _upright(words: str) -> str:
    """Words in a display. TeX drops a space after a Chinese character, so that one is written out."""
    if not words:
        return ""
    dropped = words.endswith(" ") and east_asian_width(words.strip()[-1:] or " ") in "WF"
    return rf"\text{{{words}}}" + (r"\thinspace " if dropped else "")
