"""The header of a safetensors file: eight bytes of length, a JSON object, then the data.

Source   The safetensors format: every tensor's `data_offsets` lie in the data, they do not overlap, and leave no byte over.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from os.path import basename
from typing import Any

from derive.checkpoints.header import LARGEST_HEADER, MOST_TENSORS, Header, checked_name, opened
from derive.checkpoints.stored import StoredTensor
from derive.config import shown
from derive.strict_json import NotJsonError, strict_json

BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "F8_E8M0": 8, "U16": 16, "I16": 16,
    "F16": 16, "BF16": 16, "U32": 32, "I32": 32, "F32": 32, "U64": 64, "I64": 64, "F64": 64, "C64": 64, "F4": 4, "F6_E2M3": 6,
    "F6_E3M2": 6,
}  # fmt: skip
"""Bits of one element by dtype."""
MOST_LENGTHS = 8
STRUCTURE = ((b"[", 2), (b"{", 1), (b":", 4), (b",", 12))
"""Characters that JSON is built of, and how many of each a tensor takes at most: what has more is not parsed at all."""


def read_safetensors(path: str) -> tuple[tuple[StoredTensor, ...], Mapping[str, str]]:
    """The tensors in the order of their data, and the file's own metadata."""
    with opened(path) as header:
        length = int.from_bytes(header.upto(8)[:8], "little")
        if length > header.size - 8:
            header.fail(f"truncated, or not safetensors: a header of {length:,} bytes in a file of {header.size:,}")
        if length > LARGEST_HEADER - 8:
            header.fail(f"the header claims {length:,} bytes; more than {LARGEST_HEADER // 2**20} MiB is no model's")
        entries = _entries(header, header.upto(8 + length)[8 : 8 + length])
        metadata = _metadata(header, entries.pop("__metadata__", None))
        tensors, starts = _tensors(header, entries)
        _check_layout(header, tensors, starts, header.size - 8 - length)
        return tensors, metadata


def _entries(header: Header, content: bytes) -> dict[str, Any]:
    """The JSON object, by name of tensor."""
    if any(content.count(sign) > most * MOST_TENSORS for sign, most in STRUCTURE):
        header.fail(f"the header describes more than {MOST_TENSORS:,} tensors")
    try:
        text = content.decode()
    except UnicodeDecodeError:
        header.fail("the header is not UTF-8 text, so this is not safetensors")
    if not text.startswith("{"):
        header.fail("the header does not begin with '{', so this is not safetensors")
    try:
        entries = strict_json(text, "a safetensors header")
    except NotJsonError as error:
        header.fail(f"the header is {error}" if str(error).startswith(("not", "nested")) else f"in the header {error}")
    if len(entries) > MOST_TENSORS:
        header.fail(f"the header describes {len(entries):,} tensors")
    return dict(entries)


def _metadata(header: Header, values: Any) -> Mapping[str, str]:
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        header.fail("__metadata__ must be an object of strings")
    return values


def _tensors(header: Header, entries: dict[str, Any]) -> tuple[tuple[StoredTensor, ...], list[int]]:
    """The tensors and where each begins, in the order of the data."""
    file = basename(header.path)
    found = []
    for name, entry in entries.items():
        checked_name(header, name)
        if not isinstance(entry, dict):
            header.fail(f"'{name}' must be an object, not {shown(entry)}")
        dtype, shape = entry.get("dtype"), _lengths(header, name, entry.get("shape"))
        bits = BITS.get(dtype) if isinstance(dtype, str) else None
        if bits is None:
            header.fail(f"'{name}' has the unknown dtype {shown(dtype)}")
        start, end = _offsets(header, name, entry.get("data_offsets"))
        if prod(shape) * bits != (end - start) * 8:
            header.fail(f"'{name}' of shape {list(shape)} in {dtype} does not take the {end - start:,} bytes that its offsets give it")
        found.append((start, end, StoredTensor(name, shape, str(dtype), end - start, file)))
    found.sort(key=lambda each: each[:2])
    return tuple(tensor for *_, tensor in found), [start for start, *_ in found]


def _lengths(header: Header, name: str, shape: Any) -> tuple[int, ...]:
    if not isinstance(shape, list) or len(shape) > MOST_LENGTHS:
        header.fail(f"'{name}' has the shape {shown(shape)}; a list of at most {MOST_LENGTHS} lengths was expected")
    for length in shape:
        if type(length) is not int or not 0 <= length < 2**63:
            header.fail(f"'{name}' has the length {shown(length)} in its shape")
    return tuple(shape)


def _offsets(header: Header, name: str, offsets: Any) -> tuple[int, int]:
    if not isinstance(offsets, list) or len(offsets) != 2 or type(offsets[0]) is not int or type(offsets[1]) is not int:
        header.fail(f"'{name}' has no two data_offsets")
    start, end = offsets
    if not (0 <= start < 2**63 and 0 <= end < 2**63):
        header.fail(f"'{name}' has data_offsets that no file can have")
    if start > end:
        header.fail(f"the data of '{name}' ends before it begins")
    return start, end


def _check_layout(header: Header, tensors: tuple[StoredTensor, ...], starts: list[int], room: int) -> None:
    """Every byte of the data belongs to one tensor."""
    at = 0
    for start, tensor in zip(starts, tensors, strict=True):
        if start < at:
            header.fail(f"the data of '{tensor.name}' overlaps another tensor's")
        if start > at:
            header.fail(f"{start - at:,} bytes before the data of '{tensor.name}' belong to no tensor")
        at = start + tensor.bytes
        if at > room:
            header.fail(f"truncated: the data of '{tensor.name}' goes on beyond the end of the file")
    if at < room:
        header.fail(f"{room - at:,} bytes at the end of the file belong to no tensor")
