"""A book as a static site: a page for each chapter and each language, which needs neither a network nor a script to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.book import page_words as words
from derive.book.chapters import CONTENTS, Book, Chapter
from derive.book.html import html_body, inline_html
from derive.book.sources import templates_folder
from derive.book.templating import environment
from derive.book.written import File
from derive.errors import ChapterError

SITE = "html"
"""The folder of the site in the output."""
FOREIGN = {"en": "en", "zh": "zh-Hans"}
"""How HTML calls the languages."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the navigation: a page, and its headings by rank, anchor and words."""

    name: str
    title: str
    headings: tuple[tuple[int, str, str], ...]


def site_files(books: Sequence[Book], pictures: Sequence[File]) -> list[File]:
    """Every page, the style sheet, and the pictures, below `html/`; the first page leads to the languages."""
    files = [File(Path(SITE, picture.path), picture.content) for picture in pictures]
    folder = templates_folder() / "html"
    files.append(File(Path(SITE, "style.css"), (folder / "style.css").read_bytes()))
    first = environment(folder).get_template("first.html.j2")
    titles = [(book.language, FOREIGN[book.language], book.title) for book in books]
    files.append(File.of(f"{SITE}/index.html", first.render(books=titles)))
    return files + [file for book in books for file in _book_files(book, books)]


def page_alone(chapter: Chapter, language: str) -> str:
    """A chapter as one page, with its style in it."""
    folder = templates_folder() / "html"
    style = (folder / "style.css").read_text(encoding="utf-8")
    body = _body(chapter, language)
    return (
        environment(folder)
        .get_template("alone.html.j2")
        .render(title=inline_html(chapter.title), body=body, style=style, html_language=FOREIGN[language])
    )


def _body(page: Chapter, language: str) -> str:
    try:
        return html_body(page.rendered.latex)
    except ChapterError as error:
        raise ChapterError(f"{language}/{page.name}.md: {error}") from None


def _book_files(book: Book, books: Sequence[Book]) -> list[File]:
    template = environment(templates_folder() / "html").get_template("page.html.j2")
    entries = [_entry(page) for page in book.pages]
    others = {other.language: {page.name for page in other.pages} for other in books if other is not book}
    said = {name: text.in_(book.language) for name, text in _WORDS.items()}
    files = []
    for at, page in enumerate(book.pages):
        body = _body(page, book.language)
        translations = [(language, FOREIGN[language], page.name if page.name in names else CONTENTS) for language, names in others.items()]
        text = template.render(
            book=book, page=entries[at], body=body, entries=entries, words=said, html_language=FOREIGN[book.language],
            before=entries[at - 1] if at else None, after=entries[at + 1] if at + 1 < len(entries) else None, translations=translations,
        )  # fmt: skip
        files.append(File.of(f"{SITE}/{book.language}/{page.name}.html", text))
    return files


def _entry(page: Chapter) -> Entry:
    headings = tuple((each.rank, each.anchor, inline_html(each.text)) for each in page.headings if page.name != CONTENTS)
    return Entry(page.name, inline_html(page.title), headings)


_WORDS = {
    "contents": words.CONTENTS,
    "next": words.NEXT,
    "previous": words.PREVIOUS,
    "search": words.SEARCH,
    "other": words.OTHER_LANGUAGE,
    "skip": words.SKIP,
}
