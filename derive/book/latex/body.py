"""Markdown → LaTeX: one function for each kind of token that chapters use; any other kind is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from markdown_it.tree import SyntaxTreeNode

from derive.book.latex.letters import formula_latex, text_latex
from derive.book.latex.mathematics import check_mathematics
from derive.book.latex.tables import latex_table, no_argument
from derive.book.markdown import FIGURES, UNIT_SPACE, RefusedError, headings, is_caption, is_comment, is_picture, tree_of

_URL_ESCAPES = str.maketrans({"%": r"\%", "#": r"\#", "&": r"\&", "{": "%7B", "}": "%7D", "\\": "%5C"})
_NOT_PLAIN = re.compile(r"[^\w:.-]")
_UNDERSCORE, _BREAK, _LINE_END = r"\_", r"\allowbreak{}", "\\\\\n"
_HEADINGS = {
    "h1": "section", "h2": "section", "h3": "subsection", "h4": "subsubsection", "h5": "paragraph", "h6": "subparagraph",
}  # fmt: skip
"""By rank; the first heading of the first rank is the title instead."""


def latex_body(markdown: str, name: str = "") -> tuple[str, str]:
    """The title (the heading of first rank) and the rest of a chapter, in LaTeX; the headings of a chapter with a name get labels."""
    tree = tree_of(markdown)
    first = next((node for node in tree.children if node.tag == "h1"), None)
    anchors = iter([each.anchor for each in headings(tree)])
    body, before = "", ""
    for node, caption in _blocks(tree.children):
        label = _label(name, next(anchors)) if node.type == "heading" else ""
        if node is first:
            continue
        text = _picture(node, caption) if caption or is_picture(node) else _block(node) + label
        body += _joint(before, node.type) + text
        before = node.type
    return _inline(first) if first else "", body


def _blocks(nodes: Sequence[SyntaxTreeNode]) -> Iterator[tuple[SyntaxTreeNode, SyntaxTreeNode | None]]:
    """The blocks, a picture together with its caption."""
    at = 0
    while at < len(nodes):
        behind = nodes[at + 1] if at + 1 < len(nodes) else None
        caption = behind if is_picture(nodes[at]) and is_caption(behind) else None
        yield nodes[at], caption
        at += 2 if caption else 1


def _label(name: str, anchor: str) -> str:
    return rf"\label{{{_plain(f'{name}:{anchor}')}}}" if name else ""


def _plain(label: str) -> str:
    """A label without letters that LaTeX takes for commands."""
    return _NOT_PLAIN.sub("-", label)


def _picture(node: SyntaxTreeNode, caption: SyntaxTreeNode | None) -> str:
    """A figure where it stands; what it shows is in its caption."""
    source = str(node.children[0].children[0].attrs["src"])
    if not (source.startswith(FIGURES) and source.endswith(".svg")):
        raise RefusedError(f"a chapter for LaTeX may show only what figure() draws, not {source}", source)
    words = rf"\caption{{{_inline(caption.children[0].children[0])}}}" if caption else ""
    lines = (r"\begin{figure}[H]", r"\centering", rf"\includegraphics{{{source.removesuffix('.svg')}.pdf}}", words, r"\end{figure}")
    return "\n".join(line for line in lines if line)


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
            return f"\\[\n{_formula(node)}\n\\]"
        case "bullet_list":
            return _list("itemize", node)
        case "ordered_list":
            return _list("enumerate", node)
        case "blockquote":
            return "\\begin{quote}\n" + "\n\n".join(map(_block, node.children)) + "\n\\end{quote}"
        case "table":
            return latex_table(node, _inline)
        case "fence" | "code_block":
            return "\\begin{verbatim}\n" + node.content.replace(r"\end{verbatim}", r"\end {verbatim}") + "\\end{verbatim}"
        case "hr":
            return r"\begin{center}\rule{0.4\linewidth}{0.4pt}\end{center}"
        case "html_block" if is_comment(node):
            return "\n".join(
                f"% {line}".rstrip() for line in node.content.strip().removeprefix("<!--").removesuffix("-->").strip().split("\n")
            )
    raise RefusedError(f"a chapter may not hold a {node.type.replace('_', ' ')}", node.content)


def _list(environment: str, node: SyntaxTreeNode) -> str:
    items = ["\\item " + no_argument("\n\n".join(map(_block, item.children))) for item in node.children]
    return "\n".join((f"\\begin{{{environment}}}", *items, f"\\end{{{environment}}}"))


def _inline(node: SyntaxTreeNode) -> str:
    first, *more = "".join(map(_piece, node.children)).split(_LINE_END)
    return _LINE_END.join((first, *map(no_argument, more)))


def _formula(node: SyntaxTreeNode) -> str:
    """A formula, without the empty lines that would end it."""
    check_mathematics(node.content)
    return formula_latex(re.sub(r"\n\s*\n", "\n", node.content.strip()))


def _piece(node: SyntaxTreeNode) -> str:
    match node.type:
        case "inline":
            return _inline(node)
        case "text":
            return text_latex(UNIT_SPACE.sub("\u00a0", node.content))
        case "softbreak":
            return "\n"
        case "hardbreak":
            return _LINE_END
        case "math_inline":
            return f"${_formula(node)}$"
        case "strong":
            return rf"\textbf{{{_inline(node)}}}"
        case "em":
            return rf"\emph{{{_inline(node)}}}"
        case "code_inline":
            return rf"\texttt{{{text_latex(node.content).replace(_UNDERSCORE, _UNDERSCORE + _BREAK)}}}"
        case "html_inline" if is_comment(node):
            return ""
        case "link":
            return _link(str(node.attrs["href"]), _inline(node))
    raise RefusedError(f"a chapter may not hold a {node.type.replace('_', ' ')} in its text", node.content)


def _link(target: str, words: str) -> str:
    """A link into the book or into the world: `02-experts.md#router` is the label `02-experts:router`."""
    file, _, anchor = target.partition("#")
    if "://" in target or target.startswith("mailto:"):
        return rf"\href{{{target.translate(_URL_ESCAPES)}}}{{{words}}}"
    if file.endswith(".md") and "/" not in file:
        label = unquote(file).removesuffix(".md") + (f":{unquote(anchor)}" if anchor else "")
        return rf"\see{{{_plain(label)}}}{{{words}}}"
    return words
