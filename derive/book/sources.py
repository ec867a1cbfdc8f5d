"""A book's sources: a folder of templates in each language, a chapter a file, and what `book.toml` and `references.toml` say of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import derive
from derive.errors import ChapterError
from derive.text import LANGUAGES, Text

SUFFIX = ".md.j2"
_TITLE = re.compile(r"^# +(.+?) *#* *$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sources:
    """The templates of one book; `folders` holds the folder of each language that it is written in."""

    folders: Mapping[str, Path]
    title: Text
    author: str = ""
    references: tuple[Reference, ...] = ()

    def chapters(self, language: str) -> tuple[str, ...]:
        """The chapters in their order, by template: `01-dense-decoder`, …"""
        return tuple(sorted(path.name.removesuffix(SUFFIX) for path in self.folders[language].glob(f"[!_]*{SUFFIX}")))

    def titles(self, language: str) -> dict[str, str]:
        """The title of each chapter, its first heading; the chapter's name where that is none, or is not plain prose."""
        found = {}
        for chapter in self.chapters(language):
            heading = _TITLE.search(_read(self.folders[language] / f"{chapter}{SUFFIX}"))
            found[chapter] = heading.group(1) if heading and "<<" not in heading.group(1) else chapter
        return found


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
    folders = {language: folder / language for language in LANGUAGES if any((folder / language).glob(f"*{SUFFIX}"))}
    if not folders and any(folder.glob(f"*{SUFFIX}")):
        folders = {languages[0] if languages else LANGUAGES[0]: folder}
    if not folders:
        raise ChapterError(f"{folder}: no templates; they are named *{SUFFIX}, here or in {' or '.join(f'{name}/' for name in LANGUAGES)}")
    about = _settings(folder / "book.toml")
    return Sources(folders, _title(about, folder), str(about.get("author", "")), _references(folder / "references.toml"))


def _title(about: Mapping[str, Any], folder: Path) -> Text:
    given = about.get("title", folder.resolve().name)
    if isinstance(given, dict):
        words = [str(given[language]) for language in LANGUAGES if language in given]
        return Text(str(given.get("en", words[0])), str(given.get("zh", words[0]))) if words else Text("", "")
    return Text(str(given), str(given))


def _references(path: Path) -> tuple[Reference, ...]:
    found = []
    for key, fields in _settings(path).items():
        try:
            found.append(Reference(key=key, **fields))
        except TypeError:
            raise ChapterError(f"{path}: [{key}] wants authors, year, title, and perhaps url and mark") from None
    return tuple(found)


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        raise ChapterError(f"{path}: {error}") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ChapterError(f"{path}: cannot be read: {reason}") from None
