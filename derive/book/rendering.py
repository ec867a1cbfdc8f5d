"""From templates to files: a book is rendered whole, every claim in it proved, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from derive.book.chapters import Book, chapter_of, check_links, completed
from derive.book.jobs import Task, Watch, render_all, unwatched
from derive.book.naming import naming_of
from derive.book.sources import SUFFIX, Sources, sources_of, templates_folder
from derive.book.store import Store
from derive.book.written import File, write_all
from derive.errors import ChapterError
from derive.text import LANGUAGES

FORMATS = ("md", "tex", "pdf", "html")
STORE = ".cache"
"""The folder in the output that keeps what has been rendered."""

__all__ = ["chapter_names", "render_book", "templates_folder", "write_book"]


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be rendered; no chapters are all of them."""

    chapters: Sequence[str]
    languages: Sequence[str]
    formats: Sequence[str]
    figures: bool
    store: Store | None
    watch: Watch


def chapter_names(language: str = LANGUAGES[0]) -> tuple[str, ...]:
    """The chapters of this package's book in their order, by template: `01-dense-decoder`, …"""
    return sources_of(templates_folder()).chapters(language)


def render_book(
    chapters: Sequence[str] = (), languages: Sequence[str] = (), formats: Sequence[str] = ("md", "tex"),
    *, templates: Path | None = None, figures: bool = True, store: Store | None = None, watch: Watch = unwatched,
) -> list[File]:  # fmt: skip
    """Every file of the book in this package, or in the folder `templates`, in every language and format.

    `DeriveError` names the first step or place that is wrong. `store` keeps what is rendered for the next time. Without `figures`
    none are drawn, and no PDF can be made of what shows one.
    """
    order = _Order(chapters, languages, formats, figures, store, watch)
    books = _books(order, sources_of(templates or templates_folder(), languages))
    files = [file for book in books for file in _files(book, order)]
    if "html" in formats:
        from derive.book.site import site_files

        files += site_files(books, [file for book in books for file in _figures(book, ("svg",), order)])
    return files


def write_book(
    out: Path, chapters: Sequence[str] = (), languages: Sequence[str] = (), formats: Sequence[str] = ("md", "tex"),
    *, templates: Path | None = None, figures: bool = True, watch: Watch = unwatched,
) -> list[Path]:  # fmt: skip
    """Render, then write; nothing is written where anything fails. Gives the paths that were written."""
    store = Store(out / STORE)
    files = render_book(chapters, languages, formats, templates=templates, figures=figures, store=store, watch=watch)
    written = write_all(out, files)
    store.tidy()
    return written


def _files(book: Book, order: _Order) -> list[File]:
    """The files of one language, except HTML."""
    files: list[File] = []
    if "md" in order.formats:
        files += [File.of(f"{book.language}/{page.name}.md", page.rendered.markdown) for page in book.pages]
    if {"tex", "pdf"} & set(order.formats):
        from derive.book.latex_book import latex_files, pdf_files

        latex = latex_files(book, whole=not order.chapters)
        files += latex if "tex" in order.formats else []
        if "pdf" in order.formats:
            files += pdf_files([*latex, *_figures(book, ("pdf",), order)], order.store, order.watch)
    forms = [form for form, needed in (("svg", "md"), ("pdf", "tex")) if needed in order.formats]
    return files + _figures(book, forms, order)


def _books(order: _Order, sources: Sources) -> list[Book]:
    """The books of all languages; HTML shows the whole book, whichever chapters are asked for."""
    languages = [language for language in sources.folders if language in (order.languages or LANGUAGES)]
    if not languages:
        raise ChapterError(f"no templates in {' or '.join(order.languages)}; there are: {', '.join(sources.folders)}")
    whole = not order.chapters or "html" in order.formats
    chosen = {language: _chosen(() if whole else order.chapters, sources.chapters(language)) for language in languages}
    tasks = {
        (language, name): Task(
            sources.folders[language] / f"{name}{SUFFIX}", f"{language}/{name}{SUFFIX}", language, naming_of(sources, language)
        )
        for language, names in chosen.items()
        for name in names
    }
    texts = render_all(list(tasks.values()), order.store, order.watch)
    books = []
    for language, names in chosen.items():
        chapters = tuple(chapter_of(name, texts[tasks[language, name]]) for name in names)
        book = Book(language, sources.title.in_(language), sources.author, chapters)
        if whole:
            book = completed(book, sources.references)
            check_links(book)
        books.append(book)
    return books


def _chosen(chapters: Sequence[str], known: Sequence[str]) -> list[str]:
    """The chapters asked for, by name with or without the number; all of them where none is named."""
    by_name = {name: name for name in known} | {name.partition("-")[2]: name for name in known}
    for chapter in chapters:
        if chapter not in by_name:
            raise ChapterError(f"no chapter '{chapter}'; known: {', '.join(known)}")
    return list(dict.fromkeys(by_name[chapter] for chapter in chapters)) or list(known)


def _figures(book: Book, forms: Sequence[str], order: _Order) -> list[File]:
    """The pictures that the chapters show."""
    if not (order.figures and forms and book.pictures):
        return []
    from derive.book.pictures import picture

    return [
        File(Path(book.language, "figures", f"{name}.{form}"), picture(name, form, book.language, order.store))
        for name in book.pictures
        for form in forms
    ]
