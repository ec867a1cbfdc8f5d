"""What earlier renders made, kept by the hash of all that it was made from: found again only where it would be made again the same."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from sys import version as python
from time import time

import derive
from derive.errors import ChapterError

DAYS = 30
"""For which something unused is kept."""


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of files named by hash; each begins with the hash of its content, so that a damaged one is not used.

    The folder that it lies in is another's to make: until that is there, what is put in waits.
    """

    folder: Path
    waiting: dict[str, bytes] = field(default_factory=dict)

    def get(self, key: str) -> bytes | None:
        """What is kept under a key."""
        if key in self.waiting:
            return self.waiting[key]
        path = self.folder / key
        try:
            digest, _, content = path.read_bytes().partition(b"\n")
            os.utime(path)
        except OSError:
            return None
        return content if digest == sha256(content).hexdigest().encode() else None

    def put(self, key: str, content: bytes) -> None:
        """Keep something; where the folder cannot be written, nothing is kept."""
        if not self.folder.parent.is_dir():
            self.waiting[key] = content
            return
        try:
            self.folder.mkdir(exist_ok=True)
            (self.folder / ".gitignore").write_text("*\n")
            handle, name = tempfile.mkstemp(dir=self.folder)
            with os.fdopen(handle, "wb") as file:
                file.write(sha256(content).hexdigest().encode() + b"\n" + content)
            os.replace(name, self.folder / key)
        except OSError:
            return

    def kept(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What is kept under a key, made now if it is not there."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found)
        return found

    def tidy(self) -> None:
        """Write what waits, and drop what has not been used for long."""
        for key in tuple(self.waiting):
            self.put(key, self.waiting.pop(key))
        oldest = time() - DAYS * 86_400
        for path in self.folder.glob("[0-9a-f]*"):
            if path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)


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
