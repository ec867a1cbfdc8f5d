"""LaTeX of a book: each chapter's body as a file to include, each chapter alone, and the book; and their PDFs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from derive.book.chapters import CONTENTS, Book, Chapter, placed
from derive.book.latex.body import latex_body
from derive.book.latex.letters import text_latex
from derive.book.markdown import RefusedError
from derive.book.output.store import Store, key_of
from derive.book.output.written import File
from derive.book.sandbox.jobs import Watch, unwatched
from derive.book.sandbox.templating import environment
from derive.book.sources import templates_folder
from derive.errors import ChapterError

BODY = "body"
"""The folder of the files that are included."""
BOOK = "book"


def latex_files(book: Book, *, whole: bool) -> list[File]:
    """The preamble, the bodies, each chapter alone and, for the `whole` book, all of them in one document."""
    parts = [(page, *_body(page)) for page in book.pages if page.name != CONTENTS or page in book.chapters]
    texts = {f"{BODY}/preamble.tex": _written("preamble", book.language)}
    titles = {page.name: title or text_latex(page.name) for page, title, _ in parts}
    for page, _, body in parts:
        texts[f"{BODY}/{page.name}.tex"] = _written("body", book.language, body=body)
        if page in book.chapters:
            included = {"preamble": rf"\input{{{BODY}/preamble}}", "body": rf"\input{{{BODY}/{page.name}}}"}
            texts[f"{page.name}.tex"] = _written("chapter", book.language, title=titles[page.name], **included)
    if whole:
        own = {page.name for page in book.chapters}
        chapters = [(name, title) for name, title in titles.items() if name in own]
        appendices = [(name, title) for name, title in titles.items() if name not in own]
        about = {"title": _in_latex(book.title), "author": _in_latex(book.author)}
        values = {**about, "chapters": chapters, "appendices": appendices, "body_folder": BODY}
        texts[f"{BOOK}.tex"] = _written("book", book.language, **values)
    return [File.of(f"{book.language}/{path}", text) for path, text in texts.items()]


def document(chapter: Chapter, language: str) -> str:
    """A chapter as one LaTeX document in one file."""
    title, body = _body(chapter)
    return _written("chapter", language, title=title, preamble=_written("preamble", language), body=body)


def _in_latex(words: str) -> str:
    """The title or the author of a book."""
    try:
        return latex_body(f"# {words}")[0]
    except RefusedError as error:
        raise ChapterError(f"book.toml: {error}") from None


def _written(template: str, language: str, **values: object) -> str:
    return environment(templates_folder() / "latex").get_template(f"{template}.tex.j2").render(language=language, **values)


def pdf_files(book: Book, files: Sequence[File], store: Store | None = None, watch: Watch = unwatched) -> list[File]:
    """The PDF of every document among the files of one language; the others are what they include."""
    from derive.book.latex.pdf import compiled

    included = {file.path.relative_to(file.path.parts[0]).as_posix(): file.content for file in files}
    documents = [file for file in files if file.path.suffix == ".tex" and len(file.path.parts) == 2]

    def pdf(document: File) -> File:
        needed = _needed(document, included)

        def make() -> bytes:
            try:
                return compiled(document.path.stem, needed)
            except RefusedError as error:
                raise _placed(error, document.path.stem, book) from None

        key = key_of("pdf", document.path.stem, {path: content.hex() for path, content in needed.items()})
        return File(document.path.with_suffix(".pdf"), store.kept(key, make) if store else make())

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return list(watch(pool.map(pdf, documents), len(documents)))


def _placed(error: RefusedError, name: str, book: Book) -> ChapterError:
    """An error of XeLaTeX with its place: in the chapter itself; in the whole book, in the first that has the text."""
    pages = [page for page in book.pages if name in (page.name, BOOK)]
    first = next((page for page in pages if error.text and error.text in page.rendered.latex), pages[0] if name != BOOK else None)
    return placed(error, first) if first else ChapterError(f"{name}.tex: {error}")


def _body(page: Chapter) -> tuple[str, str]:
    try:
        return latex_body(page.rendered.latex, page.name)
    except RefusedError as error:
        raise placed(error, page) from None


def _needed(document: File, included: dict[str, bytes]) -> dict[str, bytes]:
    """A document with what it includes: a chapter needs its own body, the book needs everything."""
    name = document.path.stem
    if name == BOOK:
        return included
    own = {f"{name}.tex", f"{BODY}/{name}.tex", f"{BODY}/preamble.tex"}
    return {path: content for path, content in included.items() if path in own or Path(path).parts[0] == "figures"}
