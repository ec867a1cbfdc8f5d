"""Chapters as Markdown: the parser, and what a chapter holds: title, headings, links, pictures, displays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin

from derive.book.naming import distinct, slug

FIGURES = "figures/"
"""The folder of pictures, beside the chapters."""


UNIT_SPACE = re.compile(r"(?<=\d) (?=%|[KMGT]i?B\b|[亿万]|yi\b)")
"""The space between a number and its unit, at which no line breaks."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its rank (1 is the title), its words as Markdown, and its anchor."""

    rank: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Display:
    """A displayed formula, and the heading that it stands under."""

    latex: str
    under: Heading


def markdown_parser() -> MarkdownIt:
    """CommonMark with tables and dollar mathematics."""
    return MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_labels=False, double_inline=True)


def tree_of(markdown: str) -> SyntaxTreeNode:
    """A chapter's tree."""
    return SyntaxTreeNode(markdown_parser().parse(markdown))


def words_of(node: SyntaxTreeNode) -> str:
    """The words of a node, without marks and formulas."""
    return "".join(leaf.content for leaf in node.walk() if leaf.type in ("text", "code_inline"))


def headings(tree: SyntaxTreeNode) -> tuple[Heading, ...]:
    """The headings in their order."""
    nodes = [node for node in tree.children if node.type == "heading"]
    anchors = distinct(slug(words_of(node)) for node in nodes)
    return tuple(Heading(int(node.tag[1]), node.children[0].content, anchor) for node, anchor in zip(nodes, anchors, strict=True))


def displays(tree: SyntaxTreeNode) -> Iterator[Display]:
    """The displayed formulas, each under its heading."""
    left = iter(headings(tree))
    under = Heading(1, "", "")
    for node in tree.children:
        if node.type == "heading":
            under = next(left)
        for leaf in node.walk():
            if leaf.type == "math_block":
                yield Display(leaf.content.strip(), under)


def formulas(tree: SyntaxTreeNode) -> Iterator[str]:
    """All formulas, displayed or inline."""
    return (leaf.content for leaf in tree.walk() if leaf.type in ("math_block", "math_inline", "math_inline_double"))


def links(tree: SyntaxTreeNode) -> Iterator[str]:
    """Where the links lead."""
    return (unquote(str(leaf.attrs["href"])) for leaf in tree.walk() if leaf.type == "link")


def pictures(tree: SyntaxTreeNode) -> list[str]:
    """The figures by name, each once."""
    sources = (str(leaf.attrs["src"]) for leaf in tree.walk() if leaf.type == "image")
    return list(dict.fromkeys(source.removeprefix(FIGURES).removesuffix(".svg") for source in sources if source.startswith(FIGURES)))


def is_picture(node: SyntaxTreeNode) -> bool:
    """Whether a paragraph is one picture and nothing else."""
    return node.type == "paragraph" and [child.type for child in node.children[0].children] == ["image"]


def is_caption(node: SyntaxTreeNode | None) -> bool:
    """Whether a paragraph is emphasised as a whole, as a caption is."""
    return node is not None and node.type == "paragraph" and [child.type for child in node.children[0].children] == ["em"]


def is_comment(node: SyntaxTreeNode | Token) -> bool:
    """Whether a piece of HTML is a comment, which is not shown."""
    text = node.content.strip()
    return text.startswith("<!--") and text.endswith("-->") and "<!--" not in text[4:]
