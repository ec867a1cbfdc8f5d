"""Checkpoints of several files: the index that names them, and file names that say '3 of 15'."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from os.path import basename, dirname, exists, join, realpath
from typing import Any

from derive.checkpoints.header import LARGEST_HEADER, Header, checked_name, opened
from derive.config import shown
from derive.errors import CheckpointError
from derive.records import dataclass
from derive.strict_json import NotJsonError, strict_json

MOST_SHARDS = 4096
MOST_NAMES = 2**18
NUMBERED = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<suffix>\.safetensors|\.gguf)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Index:
    """A model.safetensors.index.json: which file holds each tensor, and the bytes of all of them, where it says so."""

    path: str
    files: dict[str, str]
    total_size: int | None

    @property
    def shards(self) -> tuple[str, ...]:
        """The files that it names."""
        return tuple(sorted(set(self.files.values())))


def read_index(path: str) -> Index:
    """The index in a file; `CheckpointError` where it is malformed or names what is not a file beside it."""
    with opened(path) as header:
        if header.size > LARGEST_HEADER:
            header.fail(f"larger than {LARGEST_HEADER // 2**20} MiB, so not an index of a checkpoint")
        content = header.upto(header.size)
        if content.count(b":") > 2 * MOST_NAMES or content.count(b"[") > MOST_NAMES:
            header.fail(f"names more than {MOST_NAMES:,} tensors")
        try:
            values = strict_json(content, "an index of a checkpoint")
        except NotJsonError as error:
            header.fail(str(error))
        weight_map = values.get("weight_map") if isinstance(values, dict) else None
        if not isinstance(weight_map, dict) or not weight_map:
            header.fail("has no weight_map, so it is not an index of a checkpoint")
        _check_map(header, weight_map)
        return Index(path, weight_map, _total_size(header, values.get("metadata")))


def _check_map(header: Header, weight_map: dict[str, Any]) -> None:
    checked: set[str] = set()
    for name, file in weight_map.items():
        checked_name(header, name)
        if not isinstance(file, str):
            header.fail(f"'{name}' is in {shown(file)}; the name of a file was expected")
        if file not in checked:
            _check_file_name(header, file)
            checked.add(file)
            if len(checked) > MOST_SHARDS:
                header.fail(f"names more than {MOST_SHARDS:,} files")


def _check_file_name(header: Header, file: str) -> None:
    if file in ("", ".", "..") or any(sign in file for sign in "/\\\0:") or len(file) > 255:
        header.fail(f"names {shown(file)}, which is not the name of a file beside it")
    if not file.endswith(".safetensors"):
        header.fail(f"names {shown(file)}, which is not a safetensors file")


def _total_size(header: Header, metadata: Any) -> int | None:
    total = metadata.get("total_size") if isinstance(metadata, dict) else None
    if isinstance(total, float) and total.is_integer():
        total = int(total)
    if total is not None and (type(total) is not int or not 0 <= total < 2**63):
        header.fail(f"metadata.total_size must be a number of bytes, not {shown(total)}")
    return total


def numbered_set(path: str) -> tuple[str, ...]:
    """All files of the set that a file named like 'model-00001-of-00002.gguf' belongs to; else the file alone."""
    match = NUMBERED.fullmatch(basename(path))
    if match is None:
        return (path,)
    count = int(match["count"])
    if not 1 <= count <= MOST_SHARDS or not 1 <= int(match["number"]) <= count:
        raise CheckpointError(f"{path}: the name says file {int(match['number'])} of {count}")
    names = [f"{match['stem']}-{number:05d}-of-{match['count']}{match['suffix']}" for number in range(1, count + 1)]
    return beside(path, dirname(path), names)


def beside(source: str, folder: str, names: Iterable[str]) -> tuple[str, ...]:
    """The paths of files that `source` speaks of, all of them in its folder."""
    paths = [join(folder, name) for name in names]
    missing = [path for path in paths if not exists(path)]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise CheckpointError(f"{source}: incomplete: {basename(missing[0])}{more} of {len(paths)} files not there")
    for path in paths:
        check_inside(source, folder, path)
    return tuple(paths)


def check_inside(source: str, folder: str, path: str) -> None:
    """Raise where a file is a link out of its folder, other than into the store of a download cache (`snapshots/x` to `blobs`)."""
    if not os.path.islink(path):
        return
    home, target = realpath(folder or "."), realpath(path)
    store = join(dirname(dirname(home)), "blobs") if basename(dirname(home)) == "snapshots" else home
    if dirname(target) not in (home, store):
        raise CheckpointError(f"{source}: {basename(path)} is a link out of the folder; name the file itself, or copy it there")
