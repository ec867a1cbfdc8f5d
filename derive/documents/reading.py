"""Files and texts as documents, by their format; whatever they hold, an answer or a `DocumentError`."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from derive.documents.document import Block, Comment, Document
from derive.documents.macros import Macros
from derive.errors import DocumentError
from derive.records import dataclass

FORMATS = ("md", "tex", "ipynb", "rst", "txt")

MOST_BYTES = 16_000_000
"""Larger files are refused."""

DEEPEST = 16
"""How deep files may include files."""

MOST_FILES = 200

_SUFFIXES = {
    ".md": "md", ".markdown": "md", ".mdown": "md", ".qmd": "md", ".mdx": "md", ".rmd": "md", ".tex": "tex", ".ltx": "tex",
    ".ipynb": "ipynb", ".rst": "rst", ".rest": "rst",
}  # fmt: skip


def document_of(text: str, name: str = "<text>", format: str = "md") -> Document:
    """A text as a document."""
    return _document(text, name, format, Macros(), None)


def read_document(path: Path) -> Document:
    """A file as a document, by its suffix; files that it includes are not read."""
    return document_of(read_source(path), str(path), format_of(path))


def read_documents(path: Path) -> tuple[Document, ...]:
    """A file, and behind it each file that a LaTeX source includes from its own folder; macros are theirs in common."""
    if format_of(path) != "tex":
        return (read_document(path),)
    reading = _Reading(path.parent.resolve())
    reading.read(path, 0)
    return tuple(reading.documents[found] for found in reading.order)


def format_of(path: Path) -> str:
    """The format that the suffix of a file says; plain text for one that it does not know."""
    return _SUFFIXES.get(path.suffix.lower(), "txt")


def read_source(path: Path) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark; line ends stay as they are."""
    try:
        if not path.is_file():
            raise DocumentError(f"{path}: {'a folder, no file' if path.is_dir() else 'there is no such file'}")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise DocumentError(f"{path}: it cannot be read: {error}") from None
    if len(data) > MOST_BYTES:
        raise DocumentError(f"{path}: larger than {MOST_BYTES // 1_000_000} MB")
    return _decoded(data, str(path))


def _decoded(data: bytes, name: str) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        written = "UTF-16" if encoding == "utf-16" else "UTF-8"
        raise DocumentError(f"{name}: no {written} text: {error.reason} at byte {error.start}; save it as UTF-8") from None


def _document(text: str, name: str, format: str, macros: Macros, include: _Include | None) -> Document:
    """Each format has its reader, which is imported when it is asked for."""
    blocks: tuple[Block, ...]
    comments: tuple[Comment, ...] = ()
    if format == "md":
        from derive.documents.markdown import read_markdown

        blocks, comments = read_markdown(text, macros.expand)
    elif format == "tex":
        from derive.documents.latex import read_latex

        blocks, comments = read_latex(text, macros, include)
    elif format == "ipynb":
        from derive.documents.notebook import read_notebook

        blocks, comments = read_notebook(text, name, macros.expand)
    elif format == "rst":
        from derive.documents.rst import read_rst

        blocks, comments = read_rst(text, macros.expand)
    elif format == "txt":
        from derive.documents.plain import read_plain

        blocks = read_plain(text, macros.expand)
    else:
        raise DocumentError(f"{name}: no format {format!r}; there are {', '.join(FORMATS)}")
    return Document(name, text, blocks, comments)


@dataclass(slots=True)
class _Reading:
    """The files of a LaTeX document: the macros known so far, and the documents read, parents first."""

    root: Path
    macros: Macros = field(default_factory=Macros)
    order: list[Path] = field(default_factory=list)
    documents: dict[Path, Document] = field(default_factory=dict)

    def read(self, path: Path, depth: int) -> None:
        """A file and what it includes."""
        resolved = path.resolve()
        self.order.append(resolved)
        self.documents[resolved] = _document(read_source(path), str(path), "tex", self.macros, _Include(self, depth + 1))

    def included(self, name: str) -> Path | None:
        r"""The file that `\input{name}` means, if it stands within the folder of the document and was not read yet."""
        given = Path(name.strip())
        if given.is_absolute() or ".." in given.parts or "\x00" in name:
            return None
        for candidate in (self.root / given.with_name(given.name + ".tex"), self.root / given) if given.name else ():
            resolved = candidate.resolve()
            if resolved.is_relative_to(self.root) and resolved.is_file() and resolved not in self.order:
                return candidate
        return None


@dataclass(frozen=True, slots=True)
class _Include:
    """Reads what a file includes, at a depth."""

    reading: _Reading
    depth: int

    def __call__(self, name: str) -> None:
        """Reads one file; one that is missing, elsewhere, or read already is passed over."""
        if self.depth > DEEPEST or len(self.reading.order) >= MOST_FILES:
            return
        path = self.reading.included(name)
        if path:
            self.reading.read(path, self.depth)
