"""A checkpoint counted: the sum over the real tensors by part, beside the closed form of the configuration that belongs to it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from os.path import join
from typing import Any

from derive.checkpoints.gguf_config import gguf_config
from derive.checkpoints.misfits import (
    NOT_OF_THE_MODEL,
    NOT_PARAMETERS,
    PACKED,
    TIED,
    Misfit,
    expected_tensors,
    general_misfits,
    leftovers,
    sorted_out,
    vocabulary_misfits,
)
from derive.checkpoints.packed import Weights, unpacked
from derive.checkpoints.parts import CORRECTION, PARTS, ROUTER, part_of_component, parts_by_name
from derive.checkpoints.reading import read_checkpoint
from derive.checkpoints.stored import Checkpoint
from derive.counting import Count, count_model
from derive.errors import ConfigError
from derive.reading import FILES, ReadModel, read_file, read_model
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class PartCount:
    """One part of the model: what is stored, and what the closed form says; None where there is none [elements]."""

    name: str
    parameters: int
    closed_form: int | None
    formula: str
    tensors: int
    bytes: int


@dataclass(frozen=True, slots=True)
class CheckpointCount:
    """A checkpoint's parameters by part, and everything that does not fit the closed form.

    `parameters` are all weights that are stored, packed ones unpacked; buffers and the data of a quantisation are not among them.
    The misfits' parameters add up to `difference`, unless `undecided` tensors pack weights in a way that is not known.
    """

    checkpoint: Checkpoint
    parts: tuple[PartCount, ...]
    misfits: tuple[Misfit, ...]
    formats: Mapping[str, tuple[int, int]]
    read: ReadModel | None
    count: Count | None
    notes: tuple[str, ...]

    @property
    def parameters(self) -> int:
        """Stored weights [elements]."""
        return sum(part.parameters for part in self.parts)

    @property
    def undecided(self) -> bool:
        """Whether some tensors hold weights that could not be counted."""
        return any(misfit.kind == PACKED for misfit in self.misfits)

    @property
    def difference(self) -> int | None:
        """Stored weights over the closed form's [elements]; None without a closed form, or without the tensors."""
        return None if self.count is None or not self.checkpoint.tensors else self.parameters - self.count.total

    @property
    def explained(self) -> int:
        """What the misfits add [elements]."""
        return sum(misfit.parameters for misfit in self.misfits)

    def as_dict(self) -> dict[str, Any]:
        """What `derive count --json` prints."""
        checkpoint = self.checkpoint
        known = bool(checkpoint.tensors)
        return {
            "model": checkpoint.path,
            "format": checkpoint.kind,
            "files": list(checkpoint.files),
            "tensors": len(checkpoint.names),
            "bytes": checkpoint.bytes if known or checkpoint.total_size is not None else None,
            "parameters": {
                "stored": self.parameters if known else None,
                "stored_elements": checkpoint.elements if known else None,
                "closed_form": self.count.total if self.count else None,
                "difference": self.difference,
                "undecided": self.undecided,
            },
            "components": [
                {"name": part.name, "parameters": part.parameters if known else None, "closed_form": part.closed_form,
                 "formula": part.formula or None, "tensors": part.tensors, "bytes": part.bytes if known else None}
                for part in self.parts
            ],
            "formats": {name: {"parameters": parameters, "bytes": size} for name, (parameters, size) in self.formats.items()},
            "misfits": [misfit.as_dict() for misfit in self.misfits],
            "closed_form": self.count.as_dict() if self.count else None,
            "notes": list(self.notes),
        }  # fmt: skip


def count_checkpoint(path: str) -> CheckpointCount:
    """Count the checkpoint of a path that `find_checkpoint` gave, and compare it with the configuration beside it or in it."""
    checkpoint = read_checkpoint(path)
    read, notes = _configured(checkpoint)
    count = count_model(read) if read else None
    notes = (*checkpoint.notes, *notes)
    if not checkpoint.tensors:
        return _of_names(checkpoint, read, count, notes)
    weights = list(unpacked(checkpoint.tensors, _bits(read)))
    parts = _with_correction(sorted_out(path, weights, read.sizes.get("L") if read else None), count)
    misfits = general_misfits(parts)
    if read is not None and count is not None:
        found, more = _compared(parts, read, count)
        misfits, notes = misfits + found, (*notes, *more)
    return CheckpointCount(checkpoint, _rows(parts, count), tuple(misfits), _formats(parts), read, count, notes)


def _configured(checkpoint: Checkpoint) -> tuple[ReadModel | None, tuple[str, ...]]:
    """The model of the configuration, or why there is none."""
    config = gguf_config(checkpoint) if checkpoint.kind == "gguf" else None
    beside = [path for name in FILES[:2] if os.path.isfile(path := join(checkpoint.folder, name))]
    if config is None:
        if not beside:
            architecture = checkpoint.metadata.get("general.architecture")
            named = f" of the architecture {str(architecture)[:40]}" if architecture else ""
            return None, (f"No closed form to compare with: no config.json beside the checkpoint{named}.",)
        config = read_file(beside[0])
    try:
        return read_model(config), ()
    except ConfigError as error:
        return None, (f"No closed form to compare with: {error}",)


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


def _rows(parts: Mapping[str, list[Weights]], count: Count | None) -> tuple[PartCount, ...]:
    """Every part that is stored or in the closed form, in the order of `PARTS`."""
    forms = _closed_forms(count)
    rows = []
    for name in PARTS:
        stored = parts.get(name, [])
        if name in NOT_PARAMETERS or not (stored or name in forms):
            continue
        closed, formula = forms.get(name, (0 if count and name not in NOT_OF_THE_MODEL else None, ""))
        parameters, size = sum(each.elements or 0 for each in stored), sum(each.tensor.bytes for each in stored)
        rows.append(PartCount(name, parameters, closed, formula, len(stored), size))
    return tuple(rows)


def _closed_forms(count: Count | None) -> dict[str, tuple[int, str]]:
    """The closed form by part: its number and its formula."""
    found: dict[str, tuple[int, str]] = {}
    for component in count.components if count else ():
        part = part_of_component(component.name)
        number, formula = found.get(part, (0, ""))
        found[part] = number + component.parameters, f"{formula} + {component.formula.text}" if formula else component.formula.text
    return found


def _with_correction(parts: dict[str, list[Weights]], count: Count | None) -> dict[str, list[Weights]]:
    """The parts; the routing correction is the router's where the closed form counts it among its parameters."""
    correction, router = parts.get(CORRECTION, []), parts.get(ROUTER, [])
    together = sum(each.elements or 0 for each in (*correction, *router))
    if correction and _closed_forms(count).get(ROUTER, (0, ""))[0] == together:
        return {name: each for name, each in parts.items() if name != CORRECTION} | {ROUTER: router + correction}
    return parts


def _compared(parts: Mapping[str, list[Weights]], read: ReadModel, count: Count) -> tuple[list[Misfit], tuple[str, ...]]:
    """What does not fit the closed form, and what is to be said of parts that differ by their names only."""
    found = vocabulary_misfits(parts, read)
    rest = _differences(parts, found, count)
    found = [each for each in found if each.kind == TIED or each.part not in rest]  # listed whole below
    rest = _differences(parts, found, count)
    if PACKED in parts or not rest:
        return found, ()
    total = sum(rest.values())
    if total == 0:
        return found, (f"Differ one by one, but agree together: {', '.join(rest)}.",)
    named = {component.name: part_of_component(component.name) for _, component in read.numbers.components}
    doubled = {group.pattern for each in found for group in each.groups if each.kind == TIED}
    stored = [each for part in rest for each in parts.get(part, ()) if each.tensor.name not in doubled]
    return found + leftovers(stored, expected_tensors(read, rest, named), total), ()


def _differences(parts: Mapping[str, list[Weights]], misfits: list[Misfit], count: Count) -> dict[str, int]:
    """By part, what is stored over the closed form and not explained; only parts where that is not zero."""
    forms = _closed_forms(count)
    rest = {}
    for name in PARTS:
        if name in (*NOT_PARAMETERS, *NOT_OF_THE_MODEL):
            continue
        stored = sum(each.elements or 0 for each in parts.get(name, ()))
        explained = sum(misfit.parameters for misfit in misfits if misfit.part == name)
        difference = stored - explained - forms.get(name, (0, ""))[0]
        if difference:
            rest[name] = difference
    return rest


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
    forms = _closed_forms(count)
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
