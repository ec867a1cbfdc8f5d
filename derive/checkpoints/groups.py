"""Stored tensors gathered by name: what stands alike in many layers or experts is one line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from derive.checkpoints.packed import Weights
from derive.records import dataclass

_NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")


@dataclass(frozen=True, slots=True)
class Group:
    """Equal tensors: `pattern` has a star for every number, `numbers` says which the first star stands for.

    `elements` are the weights of all of them [elements], None where their packing is not known; `bytes` what they take [bytes].
    """

    pattern: str
    shape: tuple[int, ...]
    dtype: str
    count: int
    numbers: str
    elements: int | None
    stored: int
    bytes: int
    format: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.pattern, "shape": list(self.shape), "dtype": self.dtype, "tensors": self.count, "numbers": self.numbers,
            "parameters": self.elements, "stored_elements": self.stored, "bytes": self.bytes, "format": self.format or None,
        }  # fmt: skip


def grouped(weights: Iterable[Weights]) -> tuple[Group, ...]:
    """The tensors by pattern, shape and format, in the order of their first."""
    found: dict[tuple[object, ...], list[Weights]] = {}
    for each in weights:
        key = (_NUMBER.sub("*", each.tensor.name), each.tensor.shape, each.tensor.dtype, each.format)
        found.setdefault(key, []).append(each)
    return tuple(_group(str(key[0]), members) for key, members in found.items())


def _group(pattern: str, members: list[Weights]) -> Group:
    first = members[0]
    known = [each.elements for each in members if each.elements is not None]
    return Group(
        pattern=pattern if len(members) > 1 else first.tensor.name,
        shape=first.tensor.shape,
        dtype=first.tensor.dtype,
        count=len(members),
        numbers=_ranges(members) if len(members) > 1 else "",
        elements=sum(known) if len(known) == len(members) else None,
        stored=sum(each.tensor.elements for each in members),
        bytes=sum(each.tensor.bytes for each in members),
        format=first.format,
    )


def _ranges(members: list[Weights]) -> str:
    """The first numbers of the names, as in '0-2, 5'."""
    numbers = sorted({int(found[0]) for each in members if (found := _NUMBER.search(each.tensor.name))})
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in runs[:8]]
    return ", ".join(shown) + (", …" if runs[8:] else "")
