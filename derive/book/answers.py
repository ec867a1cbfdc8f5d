"""Answers to scaling questions as Markdown and LaTeX: their derivations, their table, their remarks."""

from __future__ import annotations

from derive.book.latex import latex_body
from derive.book.tables import table
from derive.book.writing import LATEX, MARKDOWN, Dialect, aligned, display
from derive.calculus.answer import Answer, shown
from derive.formula.inline import inline


def answer_markdown(answer: Answer, language: str) -> str:
    """Displays, a pipe table, and a paragraph for each remark."""
    return _body(answer, language, MARKDOWN).strip("\n")


def answer_latex(answer: Answer, language: str) -> str:
    """Displays, a table, and a paragraph for each remark, for a document with the preamble of the book."""
    return latex_body(_body(answer, language, LATEX))[1]


def _body(answer: Answer, language: str, dialect: Dialect) -> str:
    blocks = [display(aligned(each, language, dialect)) for each in answer.derivations]
    if answer.rows:
        heading = [column.title.in_(language) for column in answer.heading]
        rows = [[shown(cell, language, lambda formula: f"${dialect.write(formula)}$") for cell in row] for row in answer.rows]
        blocks.append(table(heading, rows, answer.numeric))
    blocks += [f"\n{inline(remark.in_(language), lambda formula: f'${dialect.write(formula)}$')}\n" for remark in answer.remarks]
    return "".join(blocks)
