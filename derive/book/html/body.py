"""A chapter as HTML: MathML for formulas, anchors at headings, and boxes that scroll around what may be wide."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import quote, unquote

from markdown_it.token import Token

from derive.book import page_words
from derive.book.html import tables as html_tables
from derive.book.html import words as html_words
from derive.book.html.latex_parts import parted_before
from derive.book.html.lines import lines_html
from derive.book.html.mathml import mathml
from derive.book.html.page import HtmlPage, numbered
from derive.book.markdown import RefusedError, headings, is_comment, markdown_parser, tree_of

PERMALINK = "§"
LONGEST_WHOLE, LONGEST_PIECE = 24, 32
"""Characters of a formula that stays in one piece, and of a piece for which every screen has room, also with large letters."""
LONGEST_CODE = 16
"""Characters of code that stay in one piece."""
_SIZE = re.compile(rb'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')
_PLAIN = HtmlPage()


def html_body(markdown: str, page: HtmlPage = _PLAIN) -> str:
    """The HTML of a chapter's Markdown."""
    parser = markdown_parser()
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    tokens = _with_captions(parser.parse(markdown))
    for token in tokens:
        html_words.bind(token.children or [])
    anchors = [each.anchor for each in headings(tree_of(markdown))]
    return str(parser.renderer.render(tokens, parser.options, {"anchors": anchors, "page": page}))


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
    """A formula in a line, with the marks that touch it; a long one in pieces, between which the line may break."""
    latex = tokens[at].content.strip()
    pieces = parted_before(latex, ("=", r"\approx")) if len(latex) > LONGEST_WHOLE else [latex]
    none = [""] * (len(pieces) - 1)
    before, after = [tokens[at].meta.get("before", ""), *none], [*none, tokens[at].meta.get("after", "")]
    page: HtmlPage = env["page"]
    return "<wbr>".join(_piece(*each, page) for each in zip(before, pieces, after, strict=True))


def _piece(before: str, latex: str, after: str, page: HtmlPage) -> str:
    """A formula between the marks that touch it; it scrolls by itself where it is wider than a narrow screen."""
    math = mathml(latex)
    if len(latex) > LONGEST_PIECE:
        math = f"{page.box('scrolling', page_words.FORMULA, tag='span')}{math}</span>"
    return html_words.whole(before, math, after)


def _display(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    page: HtmlPage = env["page"]
    latex = tokens[at].content.strip()
    lines = lines_html(latex, page, lambda words: str(self.renderInline(html_words.bind(words), options, env)))
    return lines or f"{page.box('display', page_words.FORMULA)}{mathml(latex, display=True)}</div>\n"


def _code(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    page: HtmlPage = env["page"]
    return f"{page.box('code', page_words.CODE, tag='pre')}<code>{escape(tokens[at].content)}</code></pre>\n"


def _name(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Code within a line; what is long may break behind an underscore."""
    words = tokens[at].content
    return f"<code>{escape(words).replace('_', '_<wbr>' if len(words) > LONGEST_CODE else '_')}</code>"


def _heading(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    anchor = env["anchors"].pop(0)
    env.setdefault("open", []).append(anchor)
    number = env["page"].number if tokens[at].tag == "h1" else ""
    return f'<{tokens[at].tag} id="{escape(anchor)}">{numbered(number)}'


def _heading_end(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    anchor = env["open"].pop()
    label = escape(page_words.PERMALINK.in_(env["page"].language))
    mark = f'<a class="permalink" href="#{quote(anchor)}" aria-label="{label}">{PERMALINK}</a>'
    return f"{'' if tokens[at].tag == 'h1' else mark}</{tokens[at].tag}>\n"


def _link(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    target = unquote(str(tokens[at].attrs["href"]))
    file, mark, anchor = target.partition("#")
    number = "" if mark else env["page"].numbers.get(file, "")
    if "://" not in target and file.endswith(".md"):
        target = f"{file.removesuffix('.md')}.html{mark}{quote(anchor)}"
    return f'{numbered(number)}<a href="{escape(target)}">'


def _image(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A picture with its size; one that stands alone in a box, for narrow screens."""
    page: HtmlPage = env["page"]
    source = str(tokens[at].attrs["src"])
    content = page.pictures.get(source, b"")
    words = "".join(child.content for child in tokens[at].children or [])
    view = _SIZE.search(content)
    size = f' width="{float(view[1]):.0f}" height="{float(view[2]):.0f}"' if view else ""
    address = f"data:image/svg+xml;base64,{b64encode(content).decode()}" if page.alone and content else source
    picture = f'<img src="{escape(address)}" alt="{escape(words)}"{size}>'
    return f"{page.box('picture', page_words.PICTURE)}{picture}</div>" if len(tokens) == 1 else picture


def _raw(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Comments are not shown; other HTML of an author's own would be safe nowhere else either, so it is refused as in LaTeX."""
    if is_comment(tokens[at]):
        return ""
    raise RefusedError(f"a chapter may not hold HTML: {tokens[at].content.strip()[:60]}", tokens[at].content.strip())


_RULES = {
    "text": html_words.text,
    "math_inline": _inline,
    "math_inline_double": _display,
    "math_block": _display,
    "heading_open": _heading,
    "heading_close": _heading_end,
    "table_open": html_tables.table_open,
    "table_close": html_tables.table_close,
    "th_open": html_tables.head_open,
    "th_close": html_tables.head_close,
    "td_open": html_tables.cell_open,
    "td_close": html_tables.cell_close,
    "fence": _code,
    "code_block": _code,
    "code_inline": _name,
    "link_open": _link,
    "image": _image,
    "html_block": _raw,
    "html_inline": _raw,
}
"""How tokens are written that need more than their tag."""
