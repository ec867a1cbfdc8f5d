"""Files of a book, and writing them all or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from derive.errors import ChapterError


@dataclass(frozen=True, slots=True)
class File:
    """One file: where it goes below the output folder, and its content."""

    path: Path
    content: bytes

    @classmethod
    def of(cls, path: str, text: str) -> File:
        """A file of text."""
        return cls(Path(path), text.encode())

    @property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole, or as it was before."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        _fill(handle, name, content)
        os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def write_all(folder: Path, files: Sequence[File]) -> list[Path]:
    """Write every file beside its target, then put all in place: no target is half-written, none is written alone.

    Where that fails, the folders that were made for it go again.
    """
    staged: list[tuple[Path, Path]] = []
    made: list[Path] = []
    target = folder
    try:
        for file in files:
            target = folder / file.path
            made[:0] = _missing(target.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                raise ChapterError(f"{target}: a folder is in the way")
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            staged.append((Path(name), target))
            _fill(handle, name, file.content)
        for temporary, target in staged:
            temporary.replace(target)
        made.clear()
    except FileExistsError as error:
        raise ChapterError(f"{target}: cannot be written: {error.filename} is no folder") from None
    except OSError as error:
        raise ChapterError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
        for each in made:
            with suppress(OSError):
                each.rmdir()
    return [target for _, target in staged]


def _missing(folder: Path) -> list[Path]:
    """Which folders are to be made so that this one is there, the innermost first."""
    return [each for each in (folder, *folder.parents) if not each.exists()]


def _fill(handle: int, name: str, content: bytes) -> None:
    """Write an open file, which others may read then."""
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    Path(name).chmod(0o644)
