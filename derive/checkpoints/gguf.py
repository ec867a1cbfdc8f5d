"""The header of a GGUF file, version 2 or 3: metadata, then the tensors' names, lengths, formats and offsets.

Source   The GGUF format of ggml.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from os.path import basename
from struct import Struct
from typing import Any

from derive.checkpoints.gguf_types import GGUF_TYPES
from derive.checkpoints.header import MOST_TENSORS, Header, checked_name, opened
from derive.checkpoints.stored import StoredTensor

MAGIC = b"GGUF"
STRING, ARRAY = 8, 9
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""The types of metadata values, as `struct` writes them."""
MOST_KEYS = 2**14
MOST_STRINGS = 3 * 2**19
"""In all arrays together; the largest vocabularies have 262,144 tokens and 514,906 merges."""
KEPT = 1024
"""An array of more items than this is skipped, and only its length kept."""
MOST_LENGTHS = 4
LARGEST_ALIGNMENT = 2**16


class Skipped(int):
    """The length of an array that was not kept."""


class _Reader:
    """A cursor over the header; every number is checked against the file before anything is done with it."""

    def __init__(self, header: Header) -> None:
        self.header, self.at, self.strings = header, 0, 0
        self.order = "<"
        self.version = self._version()
        self.u32, self.u64 = Struct(self.order + "I"), Struct(self.order + "Q")

    def _version(self) -> int:
        start = self.header.upto(min(8, self.header.size))
        if start[:4] != MAGIC:
            self.header.fail("does not begin with GGUF, so it is not a GGUF file")
        if len(start) < 8:
            self.header.fail("truncated: a GGUF file without a version")
        version = int.from_bytes(start[4:8], "little")
        if version > 2**16:  # the other byte order
            self.order, version = ">", int.from_bytes(start[4:8], "big")
        if version not in (2, 3):
            self.header.fail(f"GGUF version {version} is not known; known: 2 and 3")
        self.at = 8
        return version

    def number(self, form: Struct) -> Any:
        """The next number."""
        buffer = self.header.upto(self.at + form.size)
        value = form.unpack_from(buffer, self.at)[0]
        self.at += form.size
        return value

    def text(self, what: str) -> str:
        """The next string."""
        raw = self._raw_text(what)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.header.fail(f"{what} is not UTF-8 text")

    def _raw_text(self, what: str) -> bytes:
        length = self.number(self.u64)
        if length > self.header.size - self.at:
            self.header.fail(f"truncated, or not GGUF: {what} claims {length:,} bytes")
        start, self.at = self.at, self.at + length
        return self.header.upto(self.at)[start : self.at]

    def value(self, kind: int, key: str, depth: int = 0) -> Any:
        """The next metadata value of a type."""
        if kind == STRING:
            return self._raw_text(f"the value of '{key}'").decode(errors="replace")
        if kind == ARRAY:
            return self._array(key, depth)
        if kind not in SCALARS:
            self.header.fail(f"'{key}' has the unknown metadata type {kind}")
        return self.number(Struct(self.order + SCALARS[kind]))

    def _array(self, key: str, depth: int) -> Any:
        kind, count = self.number(self.u32), self.number(self.u64)
        if depth == 2:
            self.header.fail(f"'{key}' is an array of arrays of arrays")
        if kind == ARRAY and count > KEPT:
            self.header.fail(f"'{key}' claims {count:,} arrays in an array")
        least = 8 if kind == STRING else 12 if kind == ARRAY else Struct("<" + SCALARS.get(kind, "B")).size
        if count * least > self.header.size - self.at:
            self.header.fail(f"truncated, or not GGUF: '{key}' claims {count:,} items")
        if kind in SCALARS and count > KEPT:
            self.at += count * least
            self.header.upto(self.at)
            return Skipped(count)
        if kind in (STRING, ARRAY):
            self._count_strings(count, key)
            if kind == STRING and count > KEPT:
                return self._skip_strings(count, key)
        return tuple(self.value(kind, key, depth + 1) for _ in range(count))

    def _count_strings(self, count: int, key: str) -> None:
        self.strings += count
        if self.strings > MOST_STRINGS:
            self.header.fail(f"'{key}' claims {count:,} items, more than any vocabulary")

    def _skip_strings(self, count: int, key: str) -> Skipped:
        at, unpack, upto, size = self.at, self.u64.unpack_from, self.header.upto, self.header.size
        buffer = upto(at)
        for _ in range(count):
            if at + 8 > len(buffer):
                buffer = upto(at + 8)
            at += 8 + unpack(buffer, at)[0]
            if at > size:
                self.header.fail(f"truncated, or not GGUF: a string of '{key}' goes on beyond the end of the file")
        upto(at)
        self.at = at
        return Skipped(count)


def read_gguf(path: str) -> tuple[tuple[StoredTensor, ...], Mapping[str, Any]]:
    """The tensors in the order of the header, and the metadata; of long arrays only the length."""
    with opened(path) as header:
        reader = _Reader(header)
        count, keys = reader.number(reader.u64), reader.number(reader.u64)
        if count > MOST_TENSORS or count * 24 > header.size:
            header.fail(f"claims {count:,} tensors, but has {header.size:,} bytes; at most {MOST_TENSORS:,} are read")
        if keys > MOST_KEYS or keys * 13 > header.size:
            header.fail(f"claims {keys:,} metadata keys, but has {header.size:,} bytes; at most {MOST_KEYS:,} are read")
        metadata = _metadata(reader, keys)
        tensors, starts = _tensors(reader, count)
        _check_layout(header, tensors, starts, _data_start(header, reader.at, metadata))
        return tensors, metadata


def _metadata(reader: _Reader, count: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(count):
        key = reader.text("a metadata key")
        if not key or len(key) > 2**10 or not key.isprintable():
            reader.header.fail(f"'{key[:40]}' is no metadata key")
        if key in found:
            reader.header.fail(f"the metadata key '{key[:80]}' stands twice")
        found[key] = reader.value(reader.number(reader.u32), key)
    return found


def _tensors(reader: _Reader, count: int) -> tuple[tuple[StoredTensor, ...], list[int]]:
    """The tensors, and where the data of each begins."""
    file, header = basename(reader.header.path), reader.header
    found: dict[str, StoredTensor] = {}
    starts = []
    for _ in range(count):
        name = checked_name(header, reader.text("a tensor's name"))
        if name in found:
            header.fail(f"the tensor '{name}' stands twice")
        dimensions = reader.number(reader.u32)
        if dimensions > MOST_LENGTHS:
            header.fail(f"'{name}' claims {dimensions:,} dimensions; ggml knows at most {MOST_LENGTHS}")
        lengths = tuple(reader.number(reader.u64) for _ in range(dimensions))
        if any(length >= 2**63 for length in lengths):
            header.fail(f"'{name}' has a negative length in its shape")
        kind = reader.number(reader.u32)
        if kind not in GGUF_TYPES:
            header.fail(f"'{name}' has the unknown tensor type {kind}")
        block = GGUF_TYPES[kind]
        if lengths and lengths[0] % block.elements:
            header.fail(
                f"the rows of '{name}' have {lengths[0]:,} elements, not a multiple of the {block.elements} in a {block.name} block"
            )
        size = prod(lengths) // block.elements * block.bytes
        found[name] = StoredTensor(name, lengths[::-1], block.name, size, file)
        starts.append(reader.number(reader.u64))
    return tuple(found.values()), starts


def _data_start(header: Header, at: int, metadata: Mapping[str, Any]) -> int:
    alignment = metadata.get("general.alignment", 32)
    if type(alignment) is not int or not 1 <= alignment <= LARGEST_ALIGNMENT or alignment & (alignment - 1):
        header.fail("general.alignment must be a power of two")
    return -(-at // alignment) * alignment


def _check_layout(header: Header, tensors: tuple[StoredTensor, ...], starts: list[int], data: int) -> None:
    """Every tensor's data lies in the file, and overlaps no other's."""
    at = 0
    for start, tensor in sorted(zip(starts, tensors, strict=True), key=lambda each: (each[0], each[1].bytes)):
        if start < at:
            header.fail(f"the data of '{tensor.name}' overlaps another tensor's")
        at = start + tensor.bytes
        if data + at > header.size:
            header.fail(f"truncated: the data of '{tensor.name}' goes on beyond the end of the file")
