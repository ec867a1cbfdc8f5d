"""What earlier renders made, kept by the hash of all that it was made from: found again only where it would be made again the same."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from stat import S_ISREG
from sys import version as python
from time import time

import derive
from derive.book.output.written import write_whole
from derive.errors import ChapterError

DAYS = 30
"""For which something unused is kept."""
_OWN = re.compile(r"[0-9a-f]{64}(\.[a-z0-9_]{8})?")
"""The names of its files; the longer ones while they are being written."""


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of files named by hash; each begins with the hash of its content, so that a damaged one is not used."""

    folder: Path

    def get(self, key: str) -> bytes | None:
        """What is kept under a key."""
        path = self.folder / key
        try:
            digest, _, content = path.read_bytes().partition(b"\n")
            os.utime(path)
        except OSError:
            return None
        return content if digest == sha256(content).hexdigest().encode() else None

    def put(self, key: str, content: bytes) -> None:
        """Keep something; where the folder cannot be written, nothing is kept."""
        with suppress(OSError):
            self.make()
            write_whole(self.folder / key, sha256(content).hexdigest().encode() + b"\n" + content)

    def make(self) -> None:
        """The folder, which Git does not see."""
        self.folder.mkdir(parents=True, exist_ok=True)
        ignored = self.folder / ".gitignore"
        if not ignored.exists():
            ignored.write_text("*\n")

    def kept(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What is kept under a key, made now if it is not there."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found)
        return found

    def tidy(self) -> None:
        """Drop what has not been used for long, and nothing that is not its own."""
        oldest = time() - DAYS * 86_400
        for path in self.folder.glob("*"):
            with suppress(OSError):
                if _OWN.fullmatch(path.name) and S_ISREG(path.lstat().st_mode) and path.lstat().st_mtime < oldest:
                    path.unlink()


def key_of(*parts: object) -> str:
    """The hash of values that have a JSON form, together with that of this package and what it stands on."""
    return sha256(json.dumps([engine(), *parts], sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@cache
def engine() -> str:
    """The hash of every file of this package, and the versions of what decides how something is rendered."""
    package = Path(derive.__file__).parent
    files = sorted(path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc")
    whole = sha256(python.encode())
    for name in ("jinja2", "sympy", "markdown-it-py", "mdit-py-plugins"):
        whole.update(f"{name} {version(name)}\n".encode())
    for path in files:
        whole.update(f"{path.relative_to(package)} {digest_of(path)}\n".encode())
    return whole.hexdigest()


def digest_of(path: Path) -> str | None:
    """The hash of a regular file; `None` for one that is missing."""
    if not path.exists():
        return None
    if not path.is_file():
        raise ChapterError(f"{path}: not a regular file")
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ChapterError(f"{path}: cannot be read: {error.strerror}") from None


def digests_of(paths: Iterable[str]) -> dict[str, str | None]:
    """The hashes of files."""
    return {path: digest_of(Path(path)) for path in paths}


def changed(path: str) -> int | None:
    """When a file was last changed [nanoseconds]; `None` where there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None
