"""A book as a static site: a page for each chapter and each language, which needs neither a network nor a script to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.book import page_words as words
from derive.book.chapters import CONTENTS, Book, Chapter, placed
from derive.book.html.body import html_body, inline_html
from derive.book.html.page import HtmlPage, numbered
from derive.book.markdown import RefusedError
from derive.book.output.written import File
from derive.book.sandbox.templating import environment
from derive.book.sources import templates_folder

SITE = "html"
"""The folder of the site in the output."""
FOREIGN = {"en": "en", "zh": "zh-Hans"}
"""How HTML calls the languages."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the navigation: a page, its title with its number, and its headings by rank, anchor and words."""

    name: str
    title: str
    headings: tuple[tuple[int, str, str], ...]


def site_files(books: Sequence[Book], pictures: Sequence[File]) -> list[File]:
    """Every page, the style sheet and the scripts, and the pictures, below `html/`; the first page leads to the languages."""
    files = [File(Path(SITE, picture.path), picture.content) for picture in pictures]
    folder = templates_folder() / "html"
    files += [File(Path(SITE, name), (folder / name).read_bytes()) for name in ("style.css", "boxes.js", "search.js")]
    first = environment(folder).get_template("first.html.j2")
    titles = [(book.language, FOREIGN[book.language], book.title) for book in books]
    files.append(File.of(f"{SITE}/index.html", first.render(books=titles)))
    return files + [file for book in books for file in _book_files(book, books, pictures)]


def page_alone(chapter: Chapter, language: str, pictures: Mapping[str, bytes]) -> str:
    """A chapter as one page that needs no other file: its style and its pictures are in it."""
    folder = templates_folder() / "html"
    return (
        environment(folder)
        .get_template("alone.html.j2")
        .render(
            title=inline_html(chapter.title),
            body=_body(chapter, HtmlPage(language, pictures=pictures, alone=True)),
            style=(folder / "style.css").read_text(encoding="utf-8"),
            script=(folder / "boxes.js").read_text(encoding="utf-8"),
            html_language=FOREIGN[language],
        )
    )


def _body(chapter: Chapter, page: HtmlPage) -> str:
    try:
        return html_body(chapter.rendered.latex, page)
    except RefusedError as error:
        raise placed(error, chapter) from None


def _book_files(book: Book, books: Sequence[Book], pictures: Sequence[File]) -> list[File]:
    template = environment(templates_folder() / "html").get_template("page.html.j2")
    numbers = {chapter.name: str(at) for at, chapter in enumerate(book.chapters, 1)}
    entries = [_entry(page, numbers) for page in book.pages]
    said = {name: text.in_(book.language) for name, text in _WORDS.items()}
    files = []
    for at, page in enumerate(book.pages):
        text = template.render(
            book=book, page=entries[at], entries=entries, words=said, html_language=FOREIGN[book.language],
            body=_body(page, _html_page(page, book, numbers, pictures)), translations=_translations(page, book, books),
            before=entries[at - 1] if at else None, after=entries[at + 1] if at + 1 < len(entries) else None,
        )  # fmt: skip
        files.append(File.of(f"{SITE}/{book.language}/{page.name}.html", text))
    return files


def _html_page(page: Chapter, book: Book, numbers: Mapping[str, str], pictures: Sequence[File]) -> HtmlPage:
    """What the page's HTML needs to know; the contents that are made from the chapters show these with their numbers."""
    drawn = {file.path.relative_to(book.language).as_posix(): file.content for file in pictures if file.path.is_relative_to(book.language)}
    made = page.name == CONTENTS and page not in book.chapters
    linked = {f"{name}.md": number for name, number in numbers.items()} if made else {}
    return HtmlPage(book.language, numbers.get(page.name, ""), linked, drawn)


def _translations(page: Chapter, book: Book, books: Sequence[Book]) -> list[tuple[str, str, str]]:
    """The page in the other languages, or else their contents: the folder, the language as HTML calls it, and the page's name."""
    others = {other.language: {each.name for each in other.pages} for other in books if other is not book}
    return [(language, FOREIGN[language], page.name if page.name in names else CONTENTS) for language, names in others.items()]


def _entry(page: Chapter, numbers: Mapping[str, str]) -> Entry:
    headings = tuple((each.rank, each.anchor, inline_html(each.text)) for each in page.headings if page.name != CONTENTS)
    return Entry(page.name, numbered(numbers.get(page.name, "")) + inline_html(page.title), headings)


_WORDS = {
    "contents": words.CONTENTS,
    "next": words.NEXT,
    "previous": words.PREVIOUS,
    "pages": words.PAGES,
    "search": words.SEARCH,
    "nothing": words.NOTHING_FOUND,
    "other": words.OTHER_LANGUAGE,
    "skip": words.SKIP,
    "theme": words.THEME,
}
