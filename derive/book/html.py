"""A chapter as HTML: MathML for formulas, anchors at headings, tables and displays in boxes of their own that scroll."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import quote, unquote

from markdown_it.token import Token

from derive.book.markdown import headings, is_comment, markdown_parser, tree_of
from derive.book.mathml import mathml
from derive.errors import ChapterError

PERMALINK = "§"
LONGEST_WHOLE, LONGEST_PIECE = 24, 56
"""Characters of a formula that stays in one piece, and of a piece that a narrow screen has room for."""
_WIDE = tuple("，。：；、（）！？")
_OPENING, _CLOSING = ("{", "(", "[", r"\left"), ("}", ")", "]", r"\right")
_MARKS = re.compile(r"\\[A-Za-z]+|\\.|[{}()\[\]=]")


def html_body(markdown: str) -> str:
    """The HTML of a chapter's Markdown."""
    parser = markdown_parser()
    rules = {
        "text": _text,
        "math_inline": _inline,
        "math_inline_double": _display,
        "math_block": _display,
        "heading_open": _heading,
        "heading_close": _heading_end,
        "table_open": _table,
        "table_close": _table_end,
        "link_open": _link,
        "image": _image,
        "html_block": _raw,
        "html_inline": _raw,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    tokens = parser.parse(markdown)
    return str(
        parser.renderer.render(_with_captions(tokens), parser.options, {"anchors": [each.anchor for each in headings(tree_of(markdown))]})
    )


def inline_html(markdown: str) -> str:
    """The HTML of words within a line."""
    return html_body(markdown).strip().removeprefix("<p>").removesuffix("</p>")


def _with_captions(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, a paragraph that is one picture as a figure, and the emphasised one behind it as its caption."""
    found = list(tokens)
    for at in range(len(found) - 2):
        if _paragraph_of(found, at, ["image"]):
            end = at + 2
            found[at].tag = "figure"
            if _paragraph_of(found, at + 3, ["em_open", None, "em_close"]):
                found[at + 3].tag = found[at + 5].tag = "figcaption"
                inner = found[at + 4]
                inner.children = (inner.children or [])[1:-1]
                found[end].hidden, end = True, at + 5
                found[end].content = "figure"
            found[end].tag, found[end].content = ("figure", "") if end == at + 2 else (found[end].tag, "figure")
    return [token for each in found for token in _closed(each)]


def _closed(token: Token) -> list[Token]:
    """A caption's end also ends its figure."""
    if token.content == "figure" and token.type == "paragraph_close":
        return [token, Token("paragraph_close", "figure", -1, block=True)]
    return [token]


def _paragraph_of(tokens: Sequence[Token], at: int, kinds: list[str | None]) -> bool:
    """Whether a paragraph at this place holds these kinds of tokens; `None` is any number of any kind."""
    if at + 2 >= len(tokens) or tokens[at].type != "paragraph_open":
        return False
    found = [child.type for child in tokens[at + 1].children or []]
    if None in kinds:
        return len(found) > 2 and [found[0], found[-1]] == [kinds[0], kinds[-1]] and found.count(str(kinds[0])) == 1
    return found == kinds


def _inline(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A formula in a line; a long one in pieces, between which the line may break."""
    pieces = _pieces(tokens[at].content.strip())
    return "<wbr>".join(_scrolling(mathml(piece)) if len(piece) > LONGEST_PIECE else mathml(piece) for piece in pieces)


def _text(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Words; a wide mark before a formula has its own space, so that the one which GitHub needs is dropped."""
    words = tokens[at].content
    if at + 1 < len(tokens) and tokens[at + 1].type == "math_inline" and words[-2:-1] in _WIDE and words.endswith(" "):
        words = words[:-1]
    return escape(words)


def _pieces(latex: str) -> list[str]:
    """A formula, parted before its relations where it is long and they are not inside of something."""
    if len(latex) <= LONGEST_WHOLE:
        return [latex]
    found, depth, start = [], 0, 0
    for mark in _MARKS.finditer(latex):
        depth += mark[0] in _OPENING
        depth -= mark[0] in _CLOSING
        if depth == 0 and mark[0].strip() in ("=", r"\approx") and mark.start():
            found.append(latex[start : mark.start()].strip())
            start = mark.start()
    return [*found, latex[start:].strip()]


def _scrolling(math: str) -> str:
    return f'<span class="scrolling" tabindex="0">{math}</span>'


def _display(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f'<div class="display" tabindex="0">{mathml(tokens[at].content.strip(), display=True)}</div>\n'


def _heading(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    anchor = env["anchors"].pop(0)
    env.setdefault("open", []).append(anchor)
    return f'<{tokens[at].tag} id="{escape(anchor)}">'


def _heading_end(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    anchor = env["open"].pop()
    mark = f' <a class="permalink" href="#{quote(anchor)}" aria-hidden="true" tabindex="-1">{PERMALINK}</a>'
    return f"{'' if tokens[at].tag == 'h1' else mark}</{tokens[at].tag}>\n"


def _table(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return '<div class="wide" tabindex="0"><table>\n'


def _table_end(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def _link(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    target = unquote(str(tokens[at].attrs["href"]))
    file, mark, anchor = target.partition("#")
    if "://" not in target and file.endswith(".md"):
        target = f"{file.removesuffix('.md')}.html{mark}{quote(anchor)}"
    return f'<a href="{escape(target)}">'


def _image(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    words = "".join(child.content for child in tokens[at].children or [])
    return f'<img src="{escape(str(tokens[at].attrs["src"]))}" alt="{escape(words)}" loading="lazy">'


def _raw(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Comments are not shown; other HTML of an author's own would be safe nowhere else either, so it is refused as in LaTeX."""
    if is_comment(tokens[at]):
        return ""
    raise ChapterError(f"a chapter may not hold HTML: {tokens[at].content.strip()[:60]}")
