"""From the path of a checkpoint to its tensors: one file, a numbered set, or an index with its shards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os.path import basename, dirname, exists, join
from typing import Any

from derive.checkpoints.gguf import read_gguf
from derive.checkpoints.locating import INDEX
from derive.checkpoints.safetensors import read_safetensors
from derive.checkpoints.shards import Index, beside, numbered_set, read_index
from derive.checkpoints.stored import Checkpoint, StoredTensor
from derive.errors import CheckpointError

MOST_TOGETHER = 2**19
"""Tensors of all files of a checkpoint."""


def read_checkpoint(path: str) -> Checkpoint:
    """The checkpoint of a path that `find_checkpoint` gave."""
    if path.lower().endswith(INDEX):
        return _of_index(path)
    paths = numbered_set(path)
    tensors, metadata = _read_all(path, paths)
    kind = "safetensors" if _is_safetensors(path) else "gguf"
    _check_split(path, metadata, len(paths))
    return _checkpoint(path, kind, paths, tensors, metadata)


def _is_safetensors(path: str) -> bool:
    return path.lower().endswith(".safetensors")


def _checkpoint(
    path: str, kind: str, paths: Iterable[str], tensors: tuple[StoredTensor, ...], metadata: Mapping[str, Any], **more: Any
) -> Checkpoint:
    names = more.pop("names", None) or tuple(tensor.name for tensor in tensors)
    return Checkpoint(path, dirname(path), kind, tuple(basename(each) for each in paths), tensors, names, metadata, **more)


def _read_all(source: str, paths: Iterable[str]) -> tuple[tuple[StoredTensor, ...], Mapping[str, Any]]:
    """The tensors of several files together, and the metadata of the first."""
    found: dict[str, StoredTensor] = {}
    first: Mapping[str, Any] | None = None
    for path in paths:
        tensors, metadata = read_safetensors(path) if _is_safetensors(path) else read_gguf(path)
        first = metadata if first is None else first
        for tensor in tensors:
            if tensor.name in found:
                raise CheckpointError(f"{source}: '{tensor.name}' is in {found[tensor.name].file} and in {tensor.file}")
            found[tensor.name] = tensor
        if len(found) > MOST_TOGETHER:
            raise CheckpointError(f"{source}: more than {MOST_TOGETHER:,} tensors")
    return tuple(found.values()), first or {}


def _check_split(path: str, metadata: Mapping[str, Any], files: int) -> None:
    split = metadata.get("split.count", 0)
    if isinstance(split, int) and split > 1 and split != files:
        raise CheckpointError(f"{path}: one of {split} files, but its name is not like 'model-00001-of-{split:05d}.gguf'")


def _of_index(path: str) -> Checkpoint:
    index, folder = read_index(path), dirname(path)
    if not any(exists(join(folder, shard)) for shard in index.shards):
        return _checkpoint(path, "index", index.shards, (), {}, names=tuple(index.files), total_size=index.total_size)
    paths = beside(path, folder, index.shards)
    tensors, _ = _read_all(path, paths)
    notes = _check_index(index, tensors)
    return _checkpoint(path, "safetensors", paths, tensors, {}, total_size=index.total_size, notes=notes)


def _check_index(index: Index, tensors: tuple[StoredTensor, ...]) -> tuple[str, ...]:
    """Where the index and the shards disagree: an error for a tensor that is not where it should be, else a note."""
    files = {tensor.name: tensor.file for tensor in tensors}
    for name, file in index.files.items():
        if name not in files:
            raise CheckpointError(f"{index.path}: '{name}' should be in {file}, but is not")
        if files[name] != file:
            raise CheckpointError(f"{index.path}: '{name}' should be in {file}, but is in {files[name]}")
    notes = []
    extra = [name for name in files if name not in index.files]
    if extra:
        notes.append(
            f"{len(extra):,} tensors stand in the shards, but not in the index: {', '.join(extra[:3])}{', …' if extra[3:] else ''}"
        )
    stored = sum(tensor.bytes for tensor in tensors)
    if index.total_size is not None and index.total_size != stored:
        notes.append(f"the index says {index.total_size:,} bytes, the shards hold {stored:,}")
    return tuple(notes)
