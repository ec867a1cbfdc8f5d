"""A checkpoint counted: the sum over the real tensors by part, beside the closed form of the configuration that belongs to it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from os import PathLike, fspath
from os.path import join

from derive.architecture.tensor_names import PARTS
from derive.checkpoints.closed_form import closed_forms, compared, rows, with_correction
from derive.checkpoints.counted import CheckpointCount, PartCount
from derive.checkpoints.gguf_config import gguf_config
from derive.checkpoints.locating import SUFFIXES, find_checkpoint
from derive.checkpoints.misfits import NOT_PARAMETERS, general_misfits, sorted_out
from derive.checkpoints.packed import Weights, unpacked
from derive.checkpoints.parts import parts_by_name
from derive.checkpoints.reading import read_checkpoint
from derive.checkpoints.stored import Checkpoint
from derive.counting import Count, count_model
from derive.errors import CheckpointError, ConfigError
from derive.reading import FILES, ReadModel, read_file, read_model


def count_checkpoint(path: str | PathLike[str]) -> CheckpointCount:
    """Count a checkpoint (a file, an index, a folder), and compare it with the configuration beside it or in it.

    Raises `CheckpointError` where the path leads to none, or where a header cannot be read; `ConfigError` for a malformed configuration.
    """
    found = find_checkpoint(fspath(path))
    if found is None:
        raise CheckpointError(
            f"{fspath(path)}: no checkpoint; known are {', '.join(f'*{suffix}' for suffix in SUFFIXES)}, and folders of them"
        )
    checkpoint = read_checkpoint(found)
    read, notes = _configured(checkpoint)
    count = count_model(read) if read else None
    notes = (*checkpoint.notes, *notes)
    if not checkpoint.tensors:
        return _of_names(checkpoint, read, count, notes)
    weights = list(unpacked(checkpoint.tensors, _bits(read)))
    parts = with_correction(sorted_out(found, weights, read.sizes.get("L") if read else None), count)
    misfits = general_misfits(parts)
    if read is not None and count is not None:
        of_the_form, more = compared(parts, read, count)
        misfits, notes = misfits + of_the_form, (*notes, *more)
    return CheckpointCount(checkpoint, rows(parts, count), tuple(misfits), _formats(parts), read, count, notes)


def _configured(checkpoint: Checkpoint) -> tuple[ReadModel | None, tuple[str, ...]]:
    """The model of the configuration, or why there is none."""
    own = gguf_config(checkpoint) if checkpoint.kind == "gguf" else None
    beside = [path for name in FILES[:2] if os.path.isfile(path := join(checkpoint.folder, name))]
    configs = [own] if own else []
    configs += [read_file(beside[0])] if beside else []
    notes: list[str] = []
    for config in configs:
        try:
            return read_model(config), tuple(notes)
        except ConfigError as error:
            notes.append(f"No closed form to compare with: {error}")
    architecture = checkpoint.metadata.get("general.architecture")
    named = f" of the architecture {str(architecture)[:40]}" if architecture else ""
    return None, tuple(notes) or (f"No closed form to compare with: no config.json beside the checkpoint{named}.",)


def _bits(read: ReadModel | None) -> int | None:
    """Bits of one packed weight, where the configuration's quantisation says so for all alike."""
    values = read.config.values.get("quantization_config") if read else None
    groups = values.get("config_groups") if isinstance(values, dict) else None
    said = set()
    for group in groups.values() if isinstance(groups, dict) else ():
        weights = group.get("weights") if isinstance(group, dict) else None
        said.add(weights.get("num_bits") if isinstance(weights, dict) else None)
    bits = said.pop() if len(said) == 1 else None
    return bits if isinstance(bits, int) else None


def _formats(parts: Mapping[str, list[Weights]]) -> dict[str, tuple[int, int]]:
    """Parameters and bytes by number format, the most frequent first; buffers and side data count no parameters."""
    found: dict[str, tuple[int, int]] = {}
    for part, members in parts.items():
        for each in members:
            name = each.format if each.format not in ("", "scale") else each.tensor.dtype
            parameters, size = found.get(name, (0, 0))
            added = 0 if part in NOT_PARAMETERS else each.elements or 0
            found[name] = parameters + added, size + each.tensor.bytes
    return dict(sorted(found.items(), key=lambda item: (-item[1][0], -item[1][1], item[0])))


def _of_names(checkpoint: Checkpoint, read: ReadModel | None, count: Count | None, notes: tuple[str, ...]) -> CheckpointCount:
    """What an index alone tells: names by part, and bytes."""
    forms = closed_forms(count)
    tensors = Counter(parts_by_name(checkpoint.path, checkpoint.names).values())
    rows = []
    for name in PARTS:
        if tensors[name] or name in forms:
            closed, formula = forms.get(name, (None, ""))
            rows.append(PartCount(name, 0, closed, formula, tensors[name], 0))
    missing = f"Only the index is here, none of its {len(checkpoint.files)} files: names and bytes are known, shapes are not."
    said = (missing, *_bytes_note(checkpoint, read, count), *notes)
    return CheckpointCount(checkpoint, tuple(rows), (), {}, read, count, said)


_WIDTHS = {"float32": 4, "float16": 2, "bfloat16": 2}


def _bytes_note(checkpoint: Checkpoint, read: ReadModel | None, count: Count | None) -> tuple[str, ...]:
    """What the bytes would be as elements, where the configuration says the type of them."""
    if checkpoint.total_size is None:
        return ("The index gives no metadata.total_size.",)
    values = read.config.values if read else {}
    dtype = values.get("torch_dtype", values.get("dtype"))
    width = _WIDTHS.get(dtype) if isinstance(dtype, str) else None
    if width is None or count is None or "quantization_config" in values:
        return ()
    elements = checkpoint.total_size // width
    over = f"{elements - count.total:+,} over the closed form"
    return (f"{checkpoint.total_size:,} bytes are {elements:,} elements of {dtype} ({width} bytes each), {over}.",)
