"""Equations and derivations as LaTeX, in two dialects: for LaTeX itself and for Markdown.

Markdown eats a backslash before punctuation, so that dialect has `\\thinspace` for `\\,` and `\\cr` for `\\\\`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from derive.derivation import Derivation, Line
from derive.formula.inline import inline
from derive.formula.tidy import split
from derive.formula.tree import Formula, Sum
from derive.formula.write import write_latex, write_markdown, write_text

WIDEST_LINE = 62
"""Characters of a line (as text) that fit beside its left side on the page."""

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
    """Lines aligned at their relations, the reason behind each, or under it where the line is wide."""
    reasons = [_reason(line, language, dialect) for line in derivation.lines]
    widths = [len(write_text(line.formula)) + len(inline(line.why.in_(language), write_text)) * 0.8 for line in derivation.lines]
    beside = max(widths) <= WIDEST_LINE
    rows = []
    for at, (line, reason) in enumerate(zip(derivation.lines, reasons, strict=True)):
        left = dialect.write(derivation.left) if at == 0 else ""
        first, *more = folded(line.formula, dialect)
        start = f"{left} &{_SIGNS[line.relation]} {first}".lstrip()
        if beside:
            rows += [f"{start} &&\\quad {reason}", *(f"&\\quad {row}" for row in more)]
        else:
            rows += [start, *(f"&\\quad {row}" for row in more), f"&\\qquad {reason}"]
    return environment(rows, dialect)


def environment(rows: Sequence[str], dialect: Dialect) -> str:
    """Rows in an `aligned` environment."""
    return "\\begin{aligned}\n" + f" {dialect.line_end}\n".join(rows) + "\n\\end{aligned}"


def chain(left: Formula, rights: Sequence[Formula], dialect: Dialect) -> str:
    """`left = right = right`, each under the other where they are wide together."""
    wide = sum(len(write_text(formula)) + 3 for formula in (left, *rights)) > WIDEST_LINE
    if not wide:
        return " = ".join(dialect.write(formula) for formula in (left, *rights))
    rows = []
    for at, right in enumerate(rights):
        first, *more = folded(right, dialect)
        rows += [f"{dialect.write(left) if at == 0 else ''} &= {first}".lstrip(), *(f"&\\quad {row}" for row in more)]
    return environment(rows, dialect)


def folded(formula: Formula, dialect: Dialect) -> list[str]:
    """A sum that is too wide for a line, broken before a sign; anything else on one line."""
    if not isinstance(formula, Sum) or len(write_text(formula)) <= WIDEST_LINE:
        return [dialect.write(formula)]
    rows: list[list[Formula]] = [[]]
    for term in formula.terms:
        if rows[-1] and len(write_text(Sum((*rows[-1], term)))) > WIDEST_LINE:
            rows.append([])
        rows[-1].append(term)
    first, *more = (dialect.write(Sum(tuple(row))) if len(row) > 1 else dialect.write(row[0]) for row in rows)
    signs = ["" if split(row[0])[0] < 0 else "{} + " for row in rows[1:]]
    return [first, *(sign + row for sign, row in zip(signs, more, strict=True))]


def sentence(text: str, dialect: Dialect) -> str:
    """A phrase inside a display: words upright, formulas as formulas."""
    parts = [part if at % 2 else _upright(part) for at, part in enumerate(_marked(text, dialect).split("\0"))]
    return "".join(parts)


def _marked(text: str, dialect: Dialect) -> str:
    return inline(text, dialect.write, lambda formula: f"\0{formula}\0")


def _upright(words: str) -> str:
    return rf"\text{{{words}}}" if words else ""


def _reason(line: Line, language: str, dialect: Dialect) -> str:
    return sentence(line.why.in_(language), dialect)


