"""Whether a path leads to a checkpoint, and to which; nothing is read."""

from __future__ import annotations

import os
from os.path import basename, isdir, isfile, join

from derive.errors import CheckpointError

INDEX = ".safetensors.index.json"
SUFFIXES = (".safetensors", ".gguf", INDEX)
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
MOST_FILES = 10_000
"""Names of a folder that are looked at."""


def find_checkpoint(path: str) -> str | None:
    """The checkpoint that a path leads to: itself, or in a folder its index, its only file or its only numbered set; else None.

    A GGUF file is known by its first bytes, too, whatever it is called. Raises `CheckpointError` for a pickle, and for a folder that
    holds several checkpoints.
    """
    if isdir(path):
        return _found_in(path)
    if path.lower().endswith(SUFFIXES) or _begins_like_gguf(path):
        return path
    if path.lower().endswith(PICKLES):
        refuse_pickle(path)
    return None


def _begins_like_gguf(path: str) -> bool:
    if path.endswith(".json") or not isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False


def _found_in(folder: str) -> str | None:
    """The checkpoint in a folder; a link out of it is not followed."""
    found = _in_folder(folder)
    if found is not None:
        from derive.checkpoints.shards import check_inside

        check_inside(folder, folder, found)
    return found


def refuse_pickle(path: str) -> None:
    """Raise, with the reason."""
    raise CheckpointError(
        f"{path}: a pickle is not read: unpickling runs whatever code the file holds, and its tensors are not listed anywhere else in it; "
        "convert it to safetensors"
    )


def _in_folder(folder: str) -> str | None:
    from derive.checkpoints.shards import numbered_set

    names = _names(folder)
    for preferred in (f"model{INDEX}", "model.safetensors"):
        if preferred in names:
            return join(folder, preferred)
    for suffix in SUFFIXES[::-1]:
        sets = {numbered_set(join(folder, name)) for name in names if name.endswith(suffix)}
        if len(sets) > 1:
            several = ", ".join(sorted(basename(each[0]) for each in sets)[:3])
            raise CheckpointError(f"{folder}: holds several checkpoints ({several}{', …' if len(sets) > 3 else ''}); name one of them")
        if sets:
            return sets.pop()[0]
    pickles = [name for name in names if name.lower().endswith(PICKLES)]
    if pickles and not {"config.json", "params.json"} & set(names):
        refuse_pickle(join(folder, pickles[0]))
    return None


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry, _ in zip(entries, range(MOST_FILES + 1), strict=False)]
    except OSError as error:
        raise CheckpointError(f"{folder}: cannot be read: {error.strerror}") from None
    if len(names) > MOST_FILES:
        raise CheckpointError(f"{folder}: holds more than {MOST_FILES:,} files; name the checkpoint itself")
    return sorted(names)
