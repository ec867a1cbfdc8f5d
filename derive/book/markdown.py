"""Chapters as Markdown: the parser, and what a chapter holds: title, headings, links, pictures, displays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin

from derive.errors import ChapterError

FIGURES = "figures/"
"""The folder of pictures, beside the chapters."""
UNIT_SPACE = re.compile(r"(?<=\d) (?=%|[KMGT]i?B\b|[亿万]|yi\b)")
"""The space between a number and its unit, at which no line breaks."""
_DROPPED = re.compile(r"[^\w\- ]")


class RefusedError(ChapterError):
    """What a chapter may not hold; `text` is the piece of it that is meant."""

    def __init__(self, message: str, text: str) -> None:
        self.text = text
        super().__init__(message)


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


def sentences(tree: SyntaxTreeNode) -> Iterator[str]:
    """The words of each paragraph, heading and cell, on one line."""
    for node in tree.walk():
        if node.type == "inline":
            yield "".join(" " if leaf.type in ("softbreak", "hardbreak") else words_of(leaf) for leaf in node.children)


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


def named_links(tree: SyntaxTreeNode) -> Iterator[tuple[str, str]]:
    """The links: their words, and where they lead."""
    return ((words_of(leaf), str(leaf.attrs["href"])) for leaf in tree.walk() if leaf.type == "link")


def link_target(address: str) -> str:
    """An address as a link to it has it."""
    return markdown_parser().normalizeLink(address)


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


def check_kinds(tree: SyntaxTreeNode) -> None:
    """`RefusedError` for what no format has room for: HTML, other pictures, displays inside of a line, headings inside of a block."""
    for node in tree.walk():
        if node.type in ("html_block", "html_inline") and not is_comment(node):
            text = node.content.strip().partition("\n")[0]
            raise RefusedError(f"a chapter may not hold HTML: {text[:60]}", text)
        if node.type == "image" and not (_is_drawn(node) and _stands_alone(node)):
            source = str(node.attrs["src"])
            raise RefusedError(f"a chapter may show only what figure() draws, in a paragraph of its own, not {source}", source)
        if node.type == "math_inline_double":
            raise RefusedError("a displayed formula stands on lines of its own: $$, the formula, $$", node.content)
        if node.type == "heading" and node.level:
            raise RefusedError("a heading may not stand in a list or a quotation", node.children[0].content)


def _is_drawn(image: SyntaxTreeNode) -> bool:
    source = str(image.attrs["src"])
    return source.startswith(FIGURES) and source.endswith(".svg")


def _stands_alone(image: SyntaxTreeNode) -> bool:
    paragraph = image.parent.parent if image.parent else None
    return paragraph is not None and is_picture(paragraph) and paragraph.level == 0


# Anchors


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it: `One layer, stored` → `one-layer-stored`."""
    return _DROPPED.sub("", heading.strip().lower()).replace(" ", "-")


def distinct(slugs: Iterable[str]) -> list[str]:
    """Anchors of one page, a number behind each that has been there before."""
    seen: dict[str, int] = {}
    found = []
    for each in slugs:
        seen[each] = seen.get(each, -1) + 1
        found.append(f"{each}-{seen[each]}" if seen[each] else each)
    return found
