"""What a book holds once its templates are rendered: chapters, and the pages made from them (contents, symbols, formulas, references)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markdown_it.tree import SyntaxTreeNode

from derive.book import page_words, words
from derive.book.markdown import (
    Heading,
    RefusedError,
    check_kinds,
    displays,
    formulas,
    headings,
    link_target,
    links,
    named_links,
    pictures,
    sentences,
    tree_of,
    words_of,
)
from derive.book.sandbox.jobs import Rendered
from derive.book.sources import Reference, read_source
from derive.book.tables import table
from derive.book.writing import LATEX, MARKDOWN, Dialect, with_formulas
from derive.errors import ChapterError
from derive.formula.tree import Name
from derive.quantities import quantities
from derive.symbols import VOCABULARY
from derive.text import Text

MOST_NAMES = 4
"""Other names of a symbol that its row lists."""
CONTENTS, SYMBOLS, FORMULAS, REFERENCES = "index", "symbols", "formulas", "references"
"""The pages that are made from the chapters; an author's own template of that name takes the place of one."""
_SYMBOL = re.compile(
    r"\\(?:begin|end|text|mathrm|operatorname)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z](?:_(?:\{(?:[^{}]|\{[^{}]*\})*\}|[A-Za-z0-9]))?"
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter by its file's name: its title, its text in both dialects, and the tree of the Markdown.

    `template` is the file that it was rendered from, if any, and `called` that file's name in messages.
    """

    name: str
    title: str
    rendered: Rendered
    tree: SyntaxTreeNode
    template: Path | None = None
    called: str = ""

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The headings under the title."""
        return tuple(each for each in headings(self.tree) if each.rank > 1)

    def place(self, text: str) -> str:
        """Where a piece of the text stands: the template and the line; or the heading above it, where a template made it."""
        if not text:
            return self.called
        lines = read_source(self.template).split("\n") if self.template else []
        whole = (at for at, line in enumerate(lines, 1) if line.strip() == text)
        part = (at for at, line in enumerate(lines, 1) if text in line)
        found = next(whole, None) or next(part, None)
        if found:
            return f"{self.called}, line {found}"
        heading = self._heading_above(text)
        return f"{self.called}, under '{heading}'" if heading else self.called

    def _heading_above(self, text: str) -> str:
        """The words of the last heading before a piece of the rendered text; none where it is not in it."""
        before, found, _ = self.rendered.markdown.partition(text)
        line = before.count("\n") if found else -1
        above = [node for node in self.tree.children if node.type == "heading" and node.map and node.map[0] <= line]
        return words_of(above[-1]) if above else ""


@dataclass(frozen=True, slots=True)
class Book:
    """One language's book: the chapters that its author wrote, then the pages made from them."""

    language: str
    title: str
    author: str
    chapters: tuple[Chapter, ...]
    appendices: tuple[Chapter, ...] = ()

    @property
    def pages(self) -> tuple[Chapter, ...]:
        """Everything, in reading order; the contents first."""
        first = tuple(page for page in self.appendices if page.name == CONTENTS)
        return (*first, *self.chapters, *(page for page in self.appendices if page.name != CONTENTS))

    @property
    def pictures(self) -> list[str]:
        """The figures by name, each once."""
        return list(dict.fromkeys(name for page in self.pages for name in pictures(page.tree)))


def chapter_of(name: str, rendered: Rendered, template: Path | None = None, called: str = "") -> Chapter:
    """A chapter from its text."""
    tree = tree_of(rendered.markdown)
    title = next((each.text for each in headings(tree) if each.rank == 1), name)
    return Chapter(name, title, rendered, tree, template, called or name)


def check_chapter(chapter: Chapter) -> None:
    """`ChapterError`, with the place, for what a chapter may not hold in any format."""
    try:
        check_kinds(chapter.tree)
    except RefusedError as error:
        raise placed(error, chapter) from None


def placed(error: RefusedError, chapter: Chapter) -> ChapterError:
    """The error with its place."""
    return ChapterError(f"{chapter.place(error.text)}: {error}")


def completed(book: Book, references: Sequence[Reference]) -> Book:
    """The book with its contents, list of symbols, index of formulas and references."""
    makers = ((SYMBOLS, _symbols), (FORMULAS, _formulas), (REFERENCES, lambda book, dialect: _references(book, references)))
    own = {chapter.name for chapter in book.chapters}
    made = []
    for name, maker in makers:
        both = Rendered(*(maker(book, dialect) for dialect in (MARKDOWN, LATEX)))
        if name not in own and both.markdown:
            made.append(chapter_of(name, both, called=f"{book.language}/{name}.md"))
    book = Book(book.language, book.title, book.author, book.chapters, tuple(made))
    contents = _contents(book)
    index = () if CONTENTS in own else (chapter_of(CONTENTS, Rendered(contents, contents), called=f"{book.language}/{CONTENTS}.md"),)
    return Book(book.language, book.title, book.author, book.chapters, (*index, *made))


def check_links(book: Book) -> None:
    """`ChapterError` for a link to a page or a heading that the book does not have."""
    anchors = {f"{page.name}.md": {each.anchor for each in headings(page.tree)} for page in book.pages}
    for page in book.pages:
        for link in links(page.tree):
            file, _, anchor = link.partition("#")
            if "://" in link or link.startswith("mailto:") or not (file.endswith(".md") or link.startswith("#")):
                continue
            there = anchors.get(file or f"{page.name}.md")
            if there is None or (anchor and anchor not in there):
                raise ChapterError(f"{page.place(link)}: a link leads to '{link}', which is not there")


# The pages


def _contents(book: Book) -> str:
    lines = [f"# {book.title}", ""]
    for chapter in (*book.chapters, *book.appendices):
        lines.append(f"- [{chapter.title}]({chapter.name}.md)")
        if chapter in book.chapters:
            lines += [f"  - [{each.text}]({chapter.name}.md#{each.anchor})" for each in chapter.headings if each.rank == 2]
    return "\n".join(lines) + "\n"


def _page(title: Text, about: Text, book: Book, dialect: Dialect) -> str:
    return f"# {title.in_(book.language)}\n\n{with_formulas(about.in_(book.language), dialect)}\n"


def _symbols(book: Book, dialect: Dialect) -> str:
    """The symbols that occur: sizes in the vocabulary's order, then other letters; that of matrices stands for all of them."""
    used = set(_names(book))
    used |= {name[0] for name in used if name.startswith("W_")}
    rows = []
    for symbol in (*VOCABULARY, *page_words.LETTERS):
        if MARKDOWN.write(Name(symbol.name)) in used:
            meaning = with_formulas(symbol.meaning.in_(book.language), dialect)
            others = ", ".join(f"`{name}`" for name in symbol.other_names[:MOST_NAMES])
            rows.append([f"${dialect.write(Name(symbol.name))}$", meaning, symbol.unit.in_(book.language), others])
    heading = [word.in_(book.language) for word in (words.SYMBOL, words.MEANING, words.UNIT, page_words.OTHER_NAMES)]
    return _page(page_words.LIST_OF_SYMBOLS, page_words.ABOUT_SYMBOLS, book, dialect) + table(heading, rows) if rows else ""


def _names(book: Book) -> Iterator[str]:
    """Every name in a formula, as it is written."""
    for chapter in book.chapters:
        for formula in formulas(chapter.tree):
            yield from _SYMBOL.findall(formula)


def _formulas(book: Book, dialect: Dialect) -> str:
    """The named quantities that the chapters display, with closed form and places."""
    known = quantities()
    written = {MARKDOWN.write(Name(name)): name for name in known}
    places: dict[str, dict[str, str]] = {}
    for chapter in book.chapters:
        for shown in displays(chapter.tree):
            left = shown.latex.removeprefix("\\begin{aligned}\n").partition("=")[0].rstrip("& ").partition("\\approx")[0].strip()
            if left in written:
                anchor = f"#{shown.under.anchor}" if shown.under.rank > 1 else ""
                link = f"[{shown.under.text}]({chapter.name}.md{anchor})"
                places.setdefault(written[left], {})[link] = ""
    rows = [
        [
            f"${dialect.write(Name(name))} = {dialect.write(known[name].formula)}$",
            with_formulas(known[name].meaning.in_(book.language), dialect),
            ("；" if book.language == "zh" else "; ").join(where),
        ]
        for name, where in sorted(places.items(), key=lambda item: list(known).index(item[0]))
    ]
    heading = [word.in_(book.language) for word in (words.FORMULA, words.MEANING, page_words.PLACES)]
    return _page(page_words.INDEX_OF_FORMULAS, page_words.ABOUT_FORMULAS, book, dialect) + table(heading, rows) if rows else ""


def _references(book: Book, references: Sequence[Reference]) -> str:
    """The papers that the chapters name."""
    lines = [f"- {each.listed(book.language)}" for each in sorted(_cited(book, references), key=_author)]
    return f"# {page_words.REFERENCES.in_(book.language)}\n\n" + "\n".join(lines) + "\n" if lines else ""


def _cited(book: Book, references: Sequence[Reference]) -> list[Reference]:
    """The papers that a link names; those without an address, that the text names."""
    linked = {link for chapter in book.chapters for link in named_links(chapter.tree)}
    names = sorted((each.short(book.language) for each in references), key=len, reverse=True)
    name = re.compile(rf"(?<![A-Za-z\d])(?:{'|'.join(map(re.escape, names))})(?![A-Za-z\d])")
    said = {found for chapter in book.chapters for text in sentences(chapter.tree) for found in name.findall(text)}
    return [
        each
        for each in references
        if ((each.short(book.language), link_target(each.url)) in linked if each.url else each.short(book.language) in said)
    ]


def _author(reference: Reference) -> str:
    return reference.short("en")
