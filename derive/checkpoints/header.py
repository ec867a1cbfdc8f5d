"""The beginning of a file: read as far as it is asked for, never beyond its end and never beyond a bound."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NoReturn

from derive.errors import CheckpointError
from derive.text import printable

LARGEST_HEADER = 32 * 2**20
"""Bytes. The header of a trillion parameters with 384 experts, all in one file, would have 20 MB."""
MOST_TENSORS = 2**17
"""In one file; all of DeepSeek-V3's 163 files together have 92,000, scales included."""
LONGEST_NAME = 256
FIRST_READ = 2**16
LFS_POINTER = b"version https://git-lfs"


class Header:
    """The first bytes of a regular file, and where its end is."""

    def __init__(self, path: str, file: BinaryIO, size: int) -> None:
        self.path, self.size = path, size
        self._file, self._bytes = file, b""

    def fail(self, message: str) -> NoReturn:
        """Raise a `CheckpointError` that names the file."""
        raise CheckpointError(f"{self.path}: {printable(message)}")

    def upto(self, end: int) -> bytes:
        """At least the first `end` bytes."""
        if end > self.size:
            self.fail(f"truncated: the header goes on beyond the end of the file at {self.size:,} bytes")
        if end > LARGEST_HEADER:
            self.fail(f"the header would be larger than {LARGEST_HEADER // 2**20} MiB, as no model's is")
        if end > len(self._bytes):
            wanted = min(max(end, 4 * len(self._bytes), FIRST_READ), LARGEST_HEADER, self.size)
            self._bytes += self._file.read(wanted - len(self._bytes))
            if len(self._bytes) < end:
                self.fail("the file became shorter while it was read")
        return self._bytes


@contextmanager
def opened(path: str) -> Iterator[Header]:
    """The header of a regular file; `CheckpointError` for anything else, and for what stands in a file's place."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise CheckpointError(f"{path}: not a regular file")
        with open(path, "rb", buffering=0) as file:
            header = Header(path, file, os.fstat(file.fileno()).st_size)
            start = header.upto(min(header.size, len(LFS_POINTER)))
            if start.startswith(LFS_POINTER):
                header.fail("a Git LFS pointer, not the checkpoint itself; run 'git lfs pull'")
            yield header
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such file") from None
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {error.strerror}") from None


def checked_name(header: Header, name: str) -> str:
    """A tensor's name as one can be printed and compared."""
    if not name:
        header.fail("a tensor has an empty name")
    if len(name) > LONGEST_NAME:
        header.fail(f"a tensor's name has {len(name):,} characters: '{name[:40]}…'")
    if not name.isprintable():
        header.fail(f"the tensor name '{name[:80]}' holds a NUL or another control character")
    return name
