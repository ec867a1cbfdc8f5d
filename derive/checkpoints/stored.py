"""What a checkpoint's header tells: its tensors, each as it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """One array as stored: `shape` in the order of the rows (a GGUF's lengths reversed), `bytes` on disk, `file` by its base name."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int
    file: str

    @property
    def elements(self) -> int:
        """Elements of the stored array [elements]; of packed weights, fewer than the weights."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint as its headers describe it.

    `kind` is safetensors or gguf, or index where the shards themselves are not there: then `names` and `total_size` are all
    that is known, and `tensors` is empty.
    """

    path: str
    folder: str
    kind: str
    files: tuple[str, ...]
    tensors: tuple[StoredTensor, ...]
    names: tuple[str, ...]
    metadata: Mapping[str, Any]
    total_size: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def elements(self) -> int:
        """Elements of all arrays as they are stored, side data included: what model pages give as their count [elements]."""
        return sum(tensor.elements for tensor in self.tensors)

    @property
    def bytes(self) -> int:
        """Bytes of all tensors [bytes]."""
        if self.kind == "index":
            return self.total_size or 0
        return sum(tensor.bytes for tensor in self.tensors)
