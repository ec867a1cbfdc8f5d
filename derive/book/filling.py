"""A single document from a template."""

from __future__ import annotations

from pathlib import Path

from derive.book.chapters import Book, Chapter, chapter_of
from derive.book.jobs import Rendered, Task, render_now
from derive.book.naming import Naming
from derive.book.pictures import picture
from derive.book.written import File, write_all
from derive.errors import ChapterError

FORMATS = (".md", ".tex", ".pdf", ".html")


def filled(template: Path, language: str) -> Rendered:
    """The document's text; `ChapterError` says what is wrong with the template, and where."""
    if not template.is_file():
        raise ChapterError(f"{template}: no such file")
    return render_now(Task(template, str(template), language, Naming()))


def write_filled(template: Path, output: Path, language: str) -> list[Path]:
    """Write the document, in the format that the output's suffix names, and its pictures into `figures/` beside it."""
    if output.suffix not in FORMATS:
        raise ChapterError(f"{output}: the suffix says the format, one of {', '.join(FORMATS)}")
    chapter = chapter_of(output.stem, filled(template, language))
    book = Book(language, chapter.title, "", (chapter,))
    return write_all(output.parent, _FILES[output.suffix](output, chapter, book))


def _pictures(book: Book, form: str) -> list[File]:
    return [File(Path("figures", f"{name}.{form}"), picture(name, form, book.language)) for name in book.pictures]


def _markdown(output: Path, chapter: Chapter, book: Book) -> list[File]:
    return [File.of(output.name, chapter.rendered.markdown), *_pictures(book, "svg")]


def _latex(output: Path, chapter: Chapter, book: Book) -> list[File]:
    from derive.book.latex_book import document

    return [File.of(output.name, document(chapter, book.language)), *_pictures(book, "pdf")]


def _pdf(output: Path, chapter: Chapter, book: Book) -> list[File]:
    from derive.book.pdf import compiled

    sources = {file.path.as_posix(): file.content for file in _latex(Path(f"{chapter.name}.tex"), chapter, book)}
    return [File(Path(output.name), compiled(chapter.name, sources))]


def _html(output: Path, chapter: Chapter, book: Book) -> list[File]:
    from derive.book.site import page_alone

    return [File.of(output.name, page_alone(chapter, book.language)), *_pictures(book, "svg")]


_FILES = {".md": _markdown, ".tex": _latex, ".pdf": _pdf, ".html": _html}
