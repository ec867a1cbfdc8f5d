"""Markdown → LaTeX: one function for each kind of token that chapters use; any other kind is an error."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin

from derive.book.writing import breadth
from derive.errors import ChapterError

_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "≤": r"$\leq$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_HEADINGS = {"h2": "section", "h3": "subsection", "h4": "subsubsection"}
_COMMENT = re.compile("<!-- ([^\n]+) -->")
"""A comment for the checker, which stays one."""
WIDEST_TABLE = 85
"""Letters that fit beside one another in a table."""
WIDER_THAN_FAIR = 1.2
"""A column that takes so many times its share of a table that is too wide holds words, and folds."""
_FOLDED = {"l": r">{\raggedright\arraybackslash}X", "r": r">{\raggedleft\arraybackslash}X"}


def markdown_parser() -> MarkdownIt:
    """CommonMark with tables and dollar mathematics."""
    return MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_labels=False, double_inline=True)


def latex_body(markdown: str) -> tuple[str, str]:
    """The title (the heading of first rank) and the rest of a chapter, in LaTeX."""
    tree = SyntaxTreeNode(markdown_parser().parse(markdown))
    title = "".join(_inline(node) for node in tree.children if node.tag == "h1")
    body, before = "", ""
    for node in (node for node in tree.children if node.tag != "h1"):
        body += _joint(before, node.type) + _block(node)
        before = node.type
    return title, body


def _joint(before: str, after: str) -> str:
    """What stands between two blocks: a display belongs to the paragraph before it, and a table stays with it."""
    if not before:
        return ""
    if before in ("paragraph", "math_block") and after == "math_block":
        return "\n"
    return "\n\n\\nopagebreak\n" if before == "paragraph" and after == "table" else "\n\n"


def _block(node: SyntaxTreeNode) -> str:
    match node.type:
        case "heading":
            return rf"\{_HEADINGS[node.tag]}{{{_inline(node)}}}"
        case "paragraph":
            return _inline(node)
        case "math_block":
            return "\\[\n" + node.content.strip() + "\n\\]"
        case "bullet_list":
            return _list("itemize", node)
        case "ordered_list":
            return _list("enumerate", node)
        case "blockquote":
            return "\\begin{quote}\n" + "\n\n".join(map(_block, node.children)) + "\n\\end{quote}"
        case "table":
            return _table(node)
        case "html_block" if comment := _COMMENT.fullmatch(node.content.strip()):
            return f"% {comment[1]}"
    raise ChapterError(f"a chapter may not hold a {node.type.replace('_', ' ')}")


def _list(environment: str, node: SyntaxTreeNode) -> str:
    items = ["\\item " + "\n\n".join(map(_block, item.children)) for item in node.children]
    return "\n".join((f"\\begin{{{environment}}}", *items, f"\\end{{{environment}}}"))


def _table(node: SyntaxTreeNode) -> str:
    """A table as wide as its cells; where that is more than the text, its columns of words fold or, if there are none, draw closer."""
    rows = [row.children for section in node.children for row in section.children]
    cells = [[_inline(cell) for cell in row] for row in rows]
    flush = ["r" if "right" in str(cell.attrs.get("style", "")) else "l" for cell in rows[0]]
    breadths = [max(map(_breadth, column)) for column in zip(*rows, strict=True)]
    wide = sum(breadths) + 2 * len(breadths) > WIDEST_TABLE
    broad = [wide and breadth > WIDER_THAN_FAIR * WIDEST_TABLE / len(breadths) for breadth in breadths]
    columns = [_FOLDED[letter] if folds else letter for letter, folds in zip(flush, broad, strict=True)]
    if any(broad):
        begin, end = rf"\begin{{tabularx}}{{\linewidth}}{{@{{}}{''.join(columns)}@{{}}}}", r"\end{tabularx}"
    else:
        narrow = r"\setlength{\tabcolsep}{3pt}" if wide else ""
        begin, end = rf"{narrow}\begin{{tabular}}{{@{{}}{''.join(columns)}@{{}}}}", r"\end{tabular}"
    heading, *body = (" & ".join(row) + r" \\" for row in cells)
    lines = (r"\begin{center}\small", begin, r"\toprule", heading, r"\midrule", *body, r"\bottomrule", end, r"\end{center}")
    return "\n".join(lines)


def _breadth(cell: SyntaxTreeNode) -> float:
    """About how wide a cell is, in letters; a formula's markup counts for half."""
    return sum(
        breadth(leaf.content) if leaf.type == "text" else len(leaf.content) / 2
        for leaf in cell.walk()
        if leaf.type in ("text", "math_inline")
    )


def _inline(node: SyntaxTreeNode) -> str:
    return "".join(map(_piece, node.children))


def _piece(node: SyntaxTreeNode) -> str:
    match node.type:
        case "inline":
            return _inline(node)
        case "text":
            return node.content.translate(_ESCAPES)
        case "softbreak":
            return "\n"
        case "hardbreak":
            return "\\\\\n"
        case "math_inline":
            return f"${node.content}$"
        case "strong":
            return rf"\textbf{{{_inline(node)}}}"
        case "em":
            return rf"\emph{{{_inline(node)}}}"
        case "code_inline":
            return rf"\texttt{{{node.content.translate(_ESCAPES)}}}"
        case "link" if str(node.attrs["href"]).endswith(".md"):
            return rf"\emph{{{_inline(node)}}}"
    raise ChapterError(f"a chapter may not hold a {node.type.replace('_', ' ')} in its text")
