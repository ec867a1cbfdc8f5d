"""What counting a checkpoint gives: parameters by part, and what does not fit the closed form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.checkpoints.misfits import PACKED, Misfit
from derive.checkpoints.stored import Checkpoint
from derive.counting import Count
from derive.reading import ReadModel
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
