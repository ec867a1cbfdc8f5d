"""LaTeX of a book: each chapter's body as a file to include, each chapter alone, and the book; and their PDFs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from derive.book.chapters import CONTENTS, Book, Chapter
from derive.book.jobs import Watch, unwatched
from derive.book.latex import latex_body
from derive.book.sources import templates_folder
from derive.book.store import Store, key_of
from derive.book.templating import environment
from derive.book.written import File

BODY = "body"
"""The folder of the files that are included."""
BOOK = "book"


def latex_files(book: Book, *, whole: bool) -> list[File]:
    """The preamble, the bodies, each chapter alone and, for the `whole` book, all of them in one document."""
    templates = environment(templates_folder() / "latex")

    def written(path: str, template: str, **values: object) -> File:
        text = templates.get_template(f"{template}.tex.j2").render(language=book.language, body_folder=BODY, **values)
        return File.of(f"{book.language}/{path}", text)

    files = [written(f"{BODY}/preamble.tex", "preamble")]
    parts = [(page, *_body(page)) for page in book.pages if page.name != CONTENTS or page in book.chapters]
    for page, title, body in parts:
        files.append(written(f"{BODY}/{page.name}.tex", "body", body=body))
        if page in book.chapters:
            files.append(written(f"{page.name}.tex", "chapter", title=title, name=page.name))
    if whole:
        chapters = [(page.name, title) for page, title, _ in parts if page in book.chapters]
        appendices = [(page.name, title) for page, title, _ in parts if page not in book.chapters]
        title, author = (latex_body(f"# {words}")[0] for words in (book.title, book.author))
        files.append(written(f"{BOOK}.tex", "book", title=title, author=author, chapters=chapters, appendices=appendices))
    return files


def pdf_files(files: Sequence[File], store: Store | None = None, watch: Watch = unwatched) -> list[File]:
    """The PDF of every document among the files of one language; the others are what they include."""
    from derive.book.pdf import compiled

    included = {file.path.relative_to(file.path.parts[0]).as_posix(): file.content for file in files}
    documents = [file for file in files if file.path.suffix == ".tex" and len(file.path.parts) == 2]

    def pdf(document: File) -> File:
        needed = _needed(document, included)

        def make() -> bytes:
            return compiled(document.path.stem, needed)

        key = key_of("pdf", document.path.stem, {path: content.hex() for path, content in needed.items()})
        return File(document.path.with_suffix(".pdf"), store.kept(key, make) if store else make())

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return list(watch(pool.map(pdf, documents), len(documents)))


def _body(page: Chapter) -> tuple[str, str]:
    return latex_body(page.rendered.latex, page.name)


def _needed(document: File, included: dict[str, bytes]) -> dict[str, bytes]:
    """A document with what it includes: a chapter needs its own body, the book needs everything."""
    name = document.path.stem
    if name == BOOK:
        return included
    own = {f"{name}.tex", f"{BODY}/{name}.tex", f"{BODY}/preamble.tex"}
    return {path: content for path, content in included.items() if path in own or Path(path).parts[0] == "figures"}
