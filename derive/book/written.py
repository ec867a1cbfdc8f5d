"""Files of a book, and writing them all or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
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


def write_all(folder: Path, files: Sequence[File]) -> list[Path]:
    """Write every file beside its target, then put all in place: no target is half-written, none is written alone."""
    staged: list[tuple[Path, Path]] = []
    target = folder
    try:
        for file in files:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                raise ChapterError(f"{target}: a folder is in the way")
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            staged.append((Path(name), target))
            with os.fdopen(handle, "wb") as stream:
                stream.write(file.content)
            Path(name).chmod(0o644)
        for temporary, target in staged:
            temporary.replace(target)
    except OSError as error:
        raise ChapterError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
    return [target for _, target in staged]
