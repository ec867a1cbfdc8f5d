"""A book's sources: a folder of templates in each language, a chapter a file, and what `book.toml` and `references.toml` say of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import category

import derive
from derive.book.markdown import headings, tree_of
from derive.errors import ChapterError
from derive.text import LANGUAGES, Text

SUFFIX = ".md.j2"
RESERVED = ("book", "preamble")
"""What files of LaTeX are called that are no chapters."""
_CHAPTERS = f"[!_.]*{SUFFIX}"
_JINJA = re.compile(r"<<|<%|<#")
_COMMENT = re.compile(r"<#.*?#>", re.DOTALL)
_ABOUT = {"title": (str, dict), "author": (str,)}
_PAPER = {"authors": (str,), "year": (int,), "title": (str,), "url": (str,), "mark": (str,)}
_WANTED = ("authors", "year", "title")


@dataclass(frozen=True, slots=True)
class Sources:
    """The templates of one book; `folders` holds the folder of each language that it is written in."""

    folders: Mapping[str, Path]
    title: Text
    author: str = ""
    references: tuple[Reference, ...] = ()

    def chapters(self, language: str) -> tuple[str, ...]:
        """The chapters in their order, by template: `01-dense-decoder`, …"""
        return tuple(sorted(path.name.removesuffix(SUFFIX) for path in self.folders[language].glob(_CHAPTERS)))

    def titles(self, language: str) -> dict[str, str]:
        """The title of each chapter, its first heading; the chapter's name where that is none, or is not plain prose."""
        found = {}
        for chapter in self.chapters(language):
            text = _COMMENT.sub("", read_source(self.template(language, chapter)))
            title = next((each.text for each in headings(tree_of(text)) if each.rank == 1), chapter)
            found[chapter] = chapter if _JINJA.search(title) else title
        return found

    def template(self, language: str, chapter: str) -> Path:
        """The template of a chapter."""
        return self.folders[language] / f"{chapter}{SUFFIX}"

    def called(self, language: str, chapter: str) -> str:
        """The template's name in messages: `en/01-dense-decoder.md.j2`."""
        template = self.template(language, chapter)
        return f"{language}/{template.name}" if template.parent.name == language else template.name

    def check(self) -> None:
        """`ChapterError` for a chapter whose name no file of every format can have, or whose template leads out of its folder."""
        for language, folder in self.folders.items():
            for chapter in self.chapters(language):
                wrong = _misnamed(chapter)
                if not self.template(language, chapter).resolve().is_relative_to(folder.resolve()):
                    wrong = "this link leads out of the folder of templates"
                if wrong:
                    raise ChapterError(f"{self.called(language, chapter)}: {wrong}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A paper or report that a book refers to by `key`; `mark` tells those of a year apart."""

    key: str
    authors: str
    year: int
    title: str
    url: str = ""
    mark: str = ""

    def short(self, language: str) -> str:
        """As it is named in a sentence: `Hoffmann et al. 2022`, in Chinese `Hoffmann 等 2022`."""
        authors = self.authors
        if language == "zh":
            authors = authors.replace(" et al.", " 等").replace(", ", "、").replace(" and ", " 和 ")
        return f"{authors} {self.year}{self.mark}"

    def listed(self, language: str) -> str:
        """As it is listed."""
        colon, stop = ("：", "。") if language == "zh" else (": ", ". ")
        return f"{self.short(language)}{colon}*{self.title}*" + (f"{stop}[{self._address}]({self.url})" if self.url else "")

    @property
    def _address(self) -> str:
        """Where it is, as it can be read from paper: `arXiv:1706.03762`, or the site."""
        arxiv = re.fullmatch(r"https?://arxiv\.org/(?:abs|pdf)/(.+)", self.url)
        return f"arXiv:{arxiv[1]}" if arxiv else re.sub(r"^https?://(?:www\.)?|/.*", "", self.url)


def templates_folder() -> Path:
    """The folder of the templates: inside the installed package, or beside it in a checkout."""
    package = Path(derive.__file__).parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def sources_of(folder: Path, languages: Sequence[str] = ()) -> Sources:
    """A folder's book: `en/` and `zh/` with their templates; or the templates themselves, in the one language named or else English."""
    if not folder.is_dir():
        raise ChapterError(f"{folder}: no such folder")
    folders = {language: folder / language for language in LANGUAGES if any((folder / language).glob(_CHAPTERS))}
    if not folders and any(folder.glob(_CHAPTERS)):
        folders = {languages[0] if languages else LANGUAGES[0]: folder}
    if not folders:
        raise ChapterError(f"{folder}: no templates; they are named *{SUFFIX}, here or in {' or '.join(f'{name}/' for name in LANGUAGES)}")
    about = _settings(folder / "book.toml")
    _check_fields(about, _ABOUT, f"{folder / 'book.toml'}: ")
    return Sources(folders, _title(about, folder), about.get("author", ""), _references(folder / "references.toml"))


def check_layout(folder: Path, languages: Sequence[str]) -> None:
    """`ChapterError` where templates in a folder itself would be left out, or are to be of several languages."""
    if not any(folder.glob(_CHAPTERS)):
        return
    inner = [language for language in LANGUAGES if any((folder / language).glob(_CHAPTERS))]
    if inner:
        raise ChapterError(f"{folder}: templates lie here and in {inner[0]}/; move these into the folder of their language")
    if len(set(languages)) > 1:
        raise ChapterError(f"{folder}: templates that lie here are of one language; name it, or make {' and '.join(languages)} folders")


def _misnamed(chapter: str) -> str:
    """What is wrong with the name of a chapter; empty if nothing is."""
    if chapter.lower() in RESERVED:
        return f"no chapter can be named '{chapter}', as {chapter}.tex is a file of every book"
    if chapter.startswith("-") or not all(letter in "-_." or category(letter)[0] in "LMN" for letter in chapter):
        return "a chapter's name holds letters, digits, '-', '_' and '.', and does not begin with '-'"
    return ""


def _title(about: Mapping[str, Any], folder: Path) -> Text:
    given = about.get("title", folder.resolve().name)
    if isinstance(given, str):
        return Text(given, given)
    _check_fields(given, dict.fromkeys(LANGUAGES, (str,)), f"{folder / 'book.toml'}: title.")
    words = [given[language] for language in LANGUAGES if language in given]
    return Text(given.get("en", words[0]), given.get("zh", words[0])) if words else Text("", "")


def _references(path: Path) -> tuple[Reference, ...]:
    return tuple(_reference(path, key, fields) for key, fields in _settings(path).items())


def _reference(path: Path, key: str, fields: Any) -> Reference:
    if not isinstance(fields, dict) or not all(name in fields for name in _WANTED):
        raise ChapterError(f"{path}: [{key}] wants {', '.join(_WANTED)}, and perhaps url and mark")
    _check_fields(fields, _PAPER, f"{path}: [{key}] ")
    if not 0 < fields["year"] < 10_000:
        raise ChapterError(f"{path}: [{key}] year: {fields['year']} is no year")
    return Reference(key=key, **fields)


def _check_fields(given: Mapping[str, Any], known: Mapping[str, tuple[type, ...]], place: str) -> None:
    """`ChapterError` for a key that is not known, and for a value that is not of its type."""
    for name, value in given.items():
        if name not in known:
            raise ChapterError(f"{place}{name}: no such key; there are {', '.join(known)}")
        if type(value) not in known[name]:
            raise ChapterError(f"{place}{name}: {' or '.join(_TYPES[kind] for kind in known[name])} is wanted, not {value!r}")


_TYPES = {str: "a text in quotes", int: "a whole number", dict: "a table by language"}


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(read_source(path))
    except tomllib.TOMLDecodeError as error:
        raise ChapterError(f"{path}: {error}") from None


def read_source(path: Path) -> str:
    """The text of a file that an author wrote."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ChapterError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ChapterError(f"{path}, line {line_at(content, error.start)}: not UTF-8") from None


def line_at(content: bytes, place: int) -> int:
    """The line in which a place of a file is."""
    return content.count(b"\n", 0, place) + 1
