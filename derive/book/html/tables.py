"""Tables as HTML: in a box of their own, their headings told apart from their cells, and short first cells in one piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markdown_it.token import Token

from derive.book import page_words
from derive.book.html.page import HtmlPage
from derive.book.writing import breadth

SHORT = 22
"""The width of a first cell that does not break [widths of a letter]."""


def table_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """The box, and the table; where its first head is empty, its first cells head their rows."""
    page: HtmlPage = env["page"]
    first = next(index for index in range(at, len(tokens)) if tokens[index].type == "th_open")
    env["heads rows"] = not tokens[first + 1].content
    return page.box("wide", page_words.TABLE) + "<table>\n"


def table_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """The end of both."""
    return "</table></div>\n"


def head_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """The head of a column; an empty one is a cell."""
    env["heading"] = True
    return f"<th{_attributes(tokens[at], scope='col')}>" if tokens[at + 1].content else "<td>"


def head_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Its end."""
    env["heading"] = False
    return "</th>\n" if tokens[at - 1].content else "</td>\n"


def cell_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A cell, or the head of a row."""
    first = tokens[at - 1].type == "tr_open"
    short = {"class": "short"} if first and breadth(tokens[at + 1].content) <= SHORT else {}
    heads = first and env["heads rows"]
    return f"<th{_attributes(tokens[at], scope='row', **short)}>" if heads else f"<td{_attributes(tokens[at], **short)}>"


def cell_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Its end."""
    return "</th>\n" if env["heads rows"] and tokens[at - 3].type == "tr_open" else "</td>\n"


def _attributes(token: Token, **more: str) -> str:
    return "".join(f' {name}="{value}"' for name, value in {**token.attrs, **more}.items())
