"""Markdown → LaTeX: one function for each kind of token that chapters use; any other kind is an error."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin

from derive.errors import ChapterError

_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_HEADINGS = {"h2": "section", "h3": "subsection", "h4": "subsubsection"}
_LONG_CELL = 28
"""Characters from which a cell's text is folded."""


def markdown_parser() -> MarkdownIt:
    """CommonMark with tables and dollar mathematics."""
    return MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_labels=False, double_inline=True)


def latex_body(markdown: str) -> tuple[str, str]:
    """The title (the heading of first rank) and the rest of a chapter, in LaTeX."""
    tree = SyntaxTreeNode(markdown_parser().parse(markdown))
    title = ""
    blocks = []
    for node in tree.children:
        if node.type == "heading" and node.tag == "h1":
            title = _inline(node)
        else:
            blocks.append(_block(node))
    return title, "\n\n".join(blocks)


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
    raise ChapterError(f"a chapter may not hold a {node.type.replace('_', ' ')}")


def _list(environment: str, node: SyntaxTreeNode) -> str:
    items = ["\\item " + "\n\n".join(map(_block, item.children)) for item in node.children]
    return "\n".join((f"\\begin{{{environment}}}", *items, f"\\end{{{environment}}}"))


def _table(node: SyntaxTreeNode) -> str:
    """A table as wide as the text where a cell is long, else as wide as its cells."""
    rows = [row.children for section in node.children for row in section.children]
    cells = [[_inline(cell) for cell in row] for row in rows]
    flush = ["r" if "right" in str(cell.attrs.get("style", "")) else "l" for cell in rows[0]]
    columns = ["X" if _long(column) else letter for letter, column in zip(flush, zip(*rows, strict=True), strict=True)]
    wide = "X" in columns
    begin = r"\begin{tabularx}{\linewidth}" if wide else r"\begin{tabular}"
    heading, *body = (" & ".join(row) + r" \\" for row in cells)
    lines = (
        r"\begin{center}\small", f"{begin}{{@{{}}{''.join(columns)}@{{}}}}", r"\toprule", heading, r"\midrule", *body, r"\bottomrule",
        r"\end{tabularx}" if wide else r"\end{tabular}", r"\end{center}",
    )  # fmt: skip
    return "\n".join(lines)


def _long(cells: Sequence[SyntaxTreeNode]) -> bool:
    """Whether a column has running text that must fold; formulas stay whole."""
    return any(sum(len(leaf.content) for leaf in cell.walk() if leaf.type == "text") > _LONG_CELL for cell in cells)


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
        case "html_inline" if node.content == "<br>":
            return r"\newline "
    raise ChapterError(f"a chapter may not hold a {node.type.replace('_', ' ')} in its text")


