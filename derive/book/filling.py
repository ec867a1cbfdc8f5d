"""A single document from a template."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from derive.book.chapters import Book, Chapter, chapter_of, check_chapter, placed
from derive.book.markdown import FIGURES, RefusedError
from derive.book.naming import Naming, naming_of
from derive.book.output.written import File, write_all
from derive.book.pictures import picture
from derive.book.sandbox.jobs import Rendered, Task, render_now
from derive.book.sources import SUFFIX, sources_of
from derive.errors import ChapterError
from derive.text import LANGUAGES

FORMATS = (".md", ".tex", ".pdf", ".html")
_OF_A_BOOK = ("references.toml", "book.toml")


def filled(template: Path, language: str) -> Rendered:
    """The document's text; `ChapterError` says what is wrong with the template, and where."""
    if not template.is_file():
        raise ChapterError(f"{template}: {'not a regular file' if template.exists() else 'no such file'}")
    return render_now(Task(template, str(template), language, _naming(template, language)))


def write_filled(template: Path, output: Path, language: str) -> list[Path]:
    """Write the document, in the format that the output's suffix names; a page of HTML or a PDF holds its pictures.

    Those of the other formats go to `figures/<language>/` beside it: nothing else tells two pictures of a name apart.
    """
    if output.suffix not in FORMATS:
        raise ChapterError(f"{output}: the suffix says the format, one of {', '.join(FORMATS)}")
    if output.exists() and template.exists() and output.samefile(template):
        raise ChapterError(f"{output}: this is the template, which would be lost")
    chapter = chapter_of(output.stem, filled(template, language), template, str(template))
    if output.suffix != ".md":
        check_chapter(chapter)
    book = Book(language, chapter.title, "", (chapter,))
    return write_all(output.parent, _FILES[output.suffix](output, chapter, book))


def _naming(template: Path, language: str) -> Naming:
    """What the template may refer to: the papers and chapters of the book that it lies in."""
    here = template.absolute().parent
    folders = (here, here.parent) if here.name in LANGUAGES else (here,)
    for folder in folders:
        if template.name.endswith(SUFFIX) and any((folder / name).is_file() for name in _OF_A_BOOK):
            return naming_of(replace(sources_of(folder, (language,)), folders={language: here}), language)
    return Naming()


def _placed(text: str, book: Book) -> str:
    """Markdown whose pictures are in the folder of their language."""
    for name in book.pictures:
        text = text.replace(f"]({FIGURES}{name}.svg)", f"]({FIGURES}{book.language}/{name}.svg)")
    return text


def _pictures(book: Book, form: str) -> list[File]:
    return [File(Path(FIGURES, book.language, f"{name}.{form}"), picture(name, form, book.language)) for name in book.pictures]


def _markdown(output: Path, chapter: Chapter, book: Book) -> list[File]:
    return [File.of(output.name, _placed(chapter.rendered.markdown, book)), *_pictures(book, "svg")]


def _latex(output: Path, chapter: Chapter, book: Book) -> list[File]:
    from derive.book.latex.book import document

    placed = Rendered(_placed(chapter.rendered.markdown, book), _placed(chapter.rendered.latex, book))
    moved = chapter_of(chapter.name, placed, chapter.template, chapter.called)
    return [File.of(output.name, document(moved, book.language)), *_pictures(book, "pdf")]


def _pdf(output: Path, chapter: Chapter, book: Book) -> list[File]:
    from derive.book.latex.pdf import compiled

    sources = {file.path.as_posix(): file.content for file in _latex(Path(f"{chapter.name}.tex"), chapter, book)}
    try:
        return [File(Path(output.name), compiled(chapter.name, sources))]
    except RefusedError as error:
        raise placed(error, chapter) from None


def _html(output: Path, chapter: Chapter, book: Book) -> list[File]:
    from derive.book.html.site import page_alone

    pictures = {f"{FIGURES}{name}.svg": picture(name, "svg", book.language) for name in book.pictures}
    return [File.of(output.name, page_alone(chapter, book.language, pictures))]


_FILES = {".md": _markdown, ".tex": _latex, ".pdf": _pdf, ".html": _html}
