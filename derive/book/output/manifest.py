"""What earlier runs wrote into an output folder: that alone is overwritten, and removed once the book no longer has it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from derive.book.output.store import Store
from derive.book.output.written import File, write_whole
from derive.errors import ChapterError

NAME = "written.json"
"""The list, in the folder of the store."""
MARK = b"% Rendered by derive"
"""How LaTeX files begin that derive wrote."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that derive wrote: the hash of its content, and the folder of the templates that it came from.

    Both are empty where every file of a folder counts as derive's, as in a clone, which has no list: those are never removed.
    """

    digest: str = ""
    book: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files in an output folder that derive wrote, by their path in it."""

    out: Path
    files: Mapping[str, Entry] = field(default_factory=dict)

    def check(self, files: Sequence[File]) -> None:
        """`ChapterError` for a file that is there, is another's, and would be overwritten with something else."""
        for file in files:
            target = self.out / file.path
            if file.path.as_posix() not in self.files and _content(target) not in (None, file.content):
                raise ChapterError(f"{target}: there already, and not on the list of what derive wrote; remove it, or name another --out")

    def remove(self, names: Sequence[str]) -> list[Path]:
        """Remove files that are as they were written; gives those."""
        removed = []
        for name in names:
            path = self.out / name
            content = _content(path)
            if content is not None and sha256(content).hexdigest() == self.files[name].digest:
                with suppress(OSError):
                    path.unlink()
                    removed.append(path)
        return removed

    def with_written(self, files: Sequence[File], book: str, gone: Sequence[str]) -> Manifest:
        """The list once a book's files are written, and others no longer are the book's."""
        kept = {name: entry for name, entry in self.files.items() if name not in gone}
        return Manifest(self.out, kept | {file.path.as_posix(): Entry(sha256(file.content).hexdigest(), book) for file in files})

    def write(self, store: Store) -> None:
        """Keep the list; where the folder cannot be written, it is not kept."""
        rows = {name: astuple(entry) for name, entry in self.files.items()}
        with suppress(OSError):
            store.make()
            write_whole(store.folder / NAME, json.dumps(rows, ensure_ascii=False, indent=0, sort_keys=True).encode())


def manifest_of(out: Path, store: Store, files: Sequence[File]) -> Manifest:
    """What is derive's in an output folder into which these files are to be written."""
    listed = _listed(store.folder / NAME)
    tops = {file.path.parts[0] for file in files} - {PurePosixPath(name).parts[0] for name in listed}
    found = {name: Entry() for top in tops if _shows_derive(out, top, files) for name in _names(out, top)}
    return Manifest(out, {**found, **listed})


def _listed(path: Path) -> dict[str, Entry]:
    """The list; empty where there is none, or it is damaged."""
    try:
        rows = json.loads(_content(path) or b"{}")
        return {name: Entry(digest, book) for name, (digest, book) in rows.items() if _is_inside(name)}
    except (ValueError, TypeError, AttributeError):
        return {}


def _is_inside(name: str) -> bool:
    """Whether a path of the list stays in the output folder."""
    return bool(name) and not {"..", "/"} & set(PurePosixPath(name).parts)


def _shows_derive(out: Path, top: str, files: Sequence[File]) -> bool:
    """Whether one of the files is there already as it is to be written, or a file of LaTeX that says whose it is."""
    same = any(_content(out / file.path) == file.content for file in files if file.path.parts[0] == top)
    return same or any((_content(path) or b"").startswith(MARK) for path in (out / top).glob("*.tex"))


def _names(out: Path, top: str) -> Iterator[str]:
    return (path.relative_to(out).as_posix() for path in (out / top).rglob("*") if path.is_file())


def _content(path: Path) -> bytes | None:
    """What a file holds; `None` where it is none."""
    if not path.is_file():
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise ChapterError(f"{path}: cannot be read: {error.strerror}") from None
