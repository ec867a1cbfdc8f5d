"""From templates to files: a book is rendered whole, every claim in it proved, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from derive.book.chapters import Book, chapter_of, check_chapter, check_links, completed
from derive.book.naming import full_name, naming_of
from derive.book.output.manifest import manifest_of
from derive.book.output.store import Store
from derive.book.output.written import File, write_all
from derive.book.sandbox.jobs import Rendered, Task, Watch, render_all, unwatched
from derive.book.sources import SUFFIX, Sources, check_layout, sources_of, templates_folder
from derive.errors import ChapterError
from derive.text import LANGUAGES

FORMATS = ("md", "tex", "pdf", "html")
STORE = ".derive-cache"
"""The folder in the output that keeps what has been rendered, and the list of what has been written."""
_PICTURES = {".svg": ".md", ".pdf": ".tex"}
"""Which files show pictures in which form."""

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


@dataclass(frozen=True, slots=True)
class Written:
    """The files that were written, and those of an earlier run that were removed, as the book no longer has them."""

    files: list[Path]
    removed: list[Path]


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
    return _rendered(_Order(chapters, languages, formats, figures, store, watch), templates or templates_folder())


def write_book(
    out: Path, chapters: Sequence[str] = (), languages: Sequence[str] = (), formats: Sequence[str] = ("md", "tex"),
    *, templates: Path | None = None, figures: bool = True, watch: Watch = unwatched,
) -> Written:  # fmt: skip
    """Render, then write; nothing is written where anything fails, and nothing overwritten that is not derive's."""
    store = Store(out / STORE)
    order = _Order(chapters, languages, formats, figures, store, watch)
    folder = templates or templates_folder()
    files = _rendered(order, folder)
    manifest, book = manifest_of(out, store, files), str(folder.resolve())
    manifest.check(files)
    written = write_all(out, files)
    gone = _gone({name for name, entry in manifest.files.items() if entry.book == book}, files, order)
    removed = manifest.remove(gone)
    manifest.with_written(files, book, gone).write(store)
    store.tidy()
    return Written(written, removed)


def _rendered(order: _Order, templates: Path) -> list[File]:
    """Every file."""
    if templates.is_dir():
        check_layout(templates, order.languages)
    books = _books(order, sources_of(templates, order.languages))
    if "pdf" in order.formats and not order.figures and any(book.pictures for book in books):
        raise ChapterError("a PDF holds its pictures: leave out --no-figures, or the format pdf")
    files = [file for book in books for file in _files(book, order)]
    if "html" in order.formats:
        from derive.book.html.site import site_files

        files += site_files(books, [file for book in books for file in _figures(book, ("svg",), order)])
    return files


def _gone(earlier: Set[str], files: Sequence[File], order: _Order) -> list[str]:
    """Which files of earlier runs a book no longer has: those of a language and a format that were rendered as a whole without them."""
    now = {file.path.as_posix() for file in files}
    kinds = {_kind(name) for name in now}
    return sorted(name for name in earlier - now if not order.chapters and _kind(name) in kinds and (order.figures or not _is_drawn(name)))


def _kind(name: str) -> tuple[str, ...]:
    """The language and the format of a file; a picture's is the one that shows it."""
    path = PurePosixPath(name)
    if path.parts[0] == "html":
        return path.parts[:2]
    return (path.parts[0], _PICTURES.get(path.suffix, "") if _is_drawn(name) else path.suffix)


def _is_drawn(name: str) -> bool:
    return "figures" in PurePosixPath(name).parts


def _files(book: Book, order: _Order) -> list[File]:
    """The files of one language, except HTML."""
    files: list[File] = []
    if "md" in order.formats:
        files += [File.of(f"{book.language}/{page.name}.md", page.rendered.markdown) for page in book.pages]
    if {"tex", "pdf"} & set(order.formats):
        from derive.book.latex.book import latex_files, pdf_files

        latex = latex_files(book, whole=not order.chapters)
        files += latex if "tex" in order.formats else []
        if "pdf" in order.formats:
            files += pdf_files(book, [*latex, *_figures(book, ("pdf",), order)], order.store, order.watch)
    forms = [form for form, needed in (("svg", "md"), ("pdf", "tex")) if needed in order.formats]
    return files + _figures(book, forms, order)


def _books(order: _Order, sources: Sources) -> list[Book]:
    """The books of all languages; HTML shows the whole book, whichever chapters are asked for."""
    sources.check()
    languages = [language for language in sources.folders if language in (order.languages or LANGUAGES)]
    if not languages:
        raise ChapterError(f"no templates in {' or '.join(order.languages)}; there are: {', '.join(sources.folders)}")
    whole = not order.chapters or "html" in order.formats
    chosen = {language: _chosen(() if whole else order.chapters, sources.chapters(language)) for language in languages}
    tasks = [task for language, names in chosen.items() for task in _tasks(sources, language, names)]
    texts = render_all(tasks, order.store, order.watch)
    return [_book(sources, language, {task: texts[task] for task in tasks if task.language == language}, whole) for language in languages]


def _tasks(sources: Sources, language: str, names: Sequence[str]) -> list[Task]:
    naming = naming_of(sources, language)
    return [Task(sources.template(language, name), sources.called(language, name), language, naming) for name in names]


def _book(sources: Sources, language: str, texts: Mapping[Task, Rendered], whole: bool) -> Book:
    """The book of one language; with the pages made from its chapters, if it is the whole one."""
    chapters = tuple(chapter_of(task.path.name.removesuffix(SUFFIX), rendered, task.path, task.called) for task, rendered in texts.items())
    for chapter in chapters:
        check_chapter(chapter)
    book = Book(language, sources.title.in_(language), sources.author, chapters)
    if whole:
        book = completed(book, sources.references)
        check_links(book)
    return book


def _chosen(chapters: Sequence[str], known: Sequence[str]) -> list[str]:
    """The chapters asked for, by name with or without the number; all of them where none is named."""
    return list(dict.fromkeys(full_name(chapter, known) for chapter in chapters)) or list(known)


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
