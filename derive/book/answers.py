"""Answers to scaling questions as Markdown and LaTeX: their derivations, their table, their remarks."""

from __future__ import annotations

from fractions import Fraction

from derive.book.latex.body import latex_body
from derive.book.tables import table
from derive.book.voice import closed_up, minus, ungrouped
from derive.book.writing import LATEX, MARKDOWN, Dialect, aligned, display, with_formulas
from derive.calculus.answer import Answer, Cell, Share, shown
from derive.formula.tree import Formula, Name
from derive.symbols import BY_NAME, is_spelled_like_a_quantity


def answer_markdown(answer: Answer, language: str) -> str:
    """Displays, a pipe table, and a paragraph for each remark."""
    return answer_body(answer, language, MARKDOWN).strip("\n")


def answer_latex(answer: Answer, language: str) -> str:
    """Displays, a table, and a paragraph for each remark, for a document with the preamble of the book."""
    return latex_body(answer_body(answer, language, LATEX))[1]


def answer_body(answer: Answer, language: str, dialect: Dialect) -> str:
    """The parts of an answer as Markdown, its formulas in one dialect of LaTeX."""
    blocks = [display(aligned(each, language, dialect)) for each in (*answer.posed, *answer.derivations)]
    if answer.rows:
        heading = [_symbol(with_formulas(column.title.in_(language), dialect), dialect) for column in answer.heading]
        rows = [[_cell(cell, language, dialect) for cell in row] for row in answer.rows]
        blocks.append(table(heading, rows, answer.numeric))
    blocks += [f"\n{with_formulas(ungrouped(remark.in_(language)), dialect)}\n" for remark in answer.remarks]
    return "".join(blocks)


def _cell(cell: Cell, language: str, dialect: Dialect) -> str:
    """A cell of a table; numbers below ten thousand without digit groups, as in formulas."""
    if isinstance(cell, Formula):
        return f"${dialect.write(cell)}$"
    text = shown(cell, language, str)
    if isinstance(cell, (int, Fraction, Share)):
        text = minus(ungrouped(text))
    return _symbol(closed_up(text, language), dialect)


def _symbol(word: str, dialect: Dialect) -> str:
    """A symbol or the name of a quantity as mathematics, any other word as it is."""
    return f"${dialect.write(Name(word))}$" if word in BY_NAME or is_spelled_like_a_quantity(word) else word
