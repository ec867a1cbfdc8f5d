"""Several models side by side, and the difference of two component by component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from derive.checkpoints.counted import CheckpointCount
from derive.checkpoints.parts import part_of_component
from derive.counting import CONVENTIONS, Count, count_model
from derive.errors import CheckpointError
from derive.reading import ReadModel


@dataclass(frozen=True, slots=True)
class Row:
    """One component of one model: its formula, the numbers put in, and the count [elements]."""

    formula: str
    numbers: str
    parameters: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A model as it is compared: its components by name, its sizes, and totals by convention; a checkpoint has only the stored total."""

    name: str
    family: str
    sizes: Mapping[str, int]
    rows: Mapping[str, Row]
    totals: Mapping[str, int]
    checkpoint: bool = False

    @property
    def total(self) -> int:
        """Stored parameters [elements]."""
        return self.totals["total"]

    def under(self, convention: str) -> int | None:
        """The number under a convention; a model without buffers has the same with them as without."""
        return self.totals.get(convention, None if self.checkpoint else self.totals.get(convention.removesuffix("_with_buffers")))


@dataclass(frozen=True, slots=True)
class Change:
    """A component of the second model and of the first; None where a model has no such component."""

    name: str
    first: Row | None
    second: Row | None

    @property
    def difference(self) -> int:
        """The second over the first [elements]."""
        return _parameters(self.second) - _parameters(self.first)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        sides = {"first": self.first, "second": self.second}
        shown = {side: None if row is None else _row_dict(row) for side, row in sides.items()}
        return {"name": self.name, **shown, "difference": self.difference}


@dataclass(frozen=True, slots=True)
class Difference:
    """How a model differs from the first: the components, and the sizes that are not the same (None: it has no such size)."""

    first: Compared
    second: Compared
    changes: tuple[Change, ...]
    sizes: tuple[tuple[str, int | None, int | None], ...]

    @property
    def total(self) -> int:
        """The difference of the totals, which is the sum over the components [elements]."""
        return self.second.total - self.first.total

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "first": self.first.name,
            "second": self.second.name,
            "sizes": {name: [first, second] for name, first, second in self.sizes},
            "components": [change.as_dict() for change in self.changes],
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Models side by side; the differences from the first, where they are asked for."""

    models: tuple[Compared, ...]
    differences: tuple[Difference, ...]

    @property
    def components(self) -> tuple[str, ...]:
        """Every component that a model has."""
        return merged(model.rows for model in self.models)

    @property
    def sizes(self) -> tuple[str, ...]:
        """Every size that a model has."""
        return merged(model.sizes for model in self.models)

    @property
    def conventions(self) -> tuple[str, ...]:
        """Every convention that a model has a number for."""
        return merged(model.totals for model in self.models)

    def as_dict(self) -> dict[str, Any]:
        """What `derive count A B --json` prints."""
        return {
            "models": [
                {"model": each.name, "family": each.family or None, "symbols": dict(each.sizes), "parameters": dict(each.totals),
                 "components": [{"name": name, **_row_dict(row)} for name, row in each.rows.items()]}
                for each in self.models
            ],
            "conventions": {name: CONVENTIONS[name] for name in self.conventions},
            **({"differences": [each.as_dict() for each in self.differences]} if self.differences else {}),
        }  # fmt: skip


def compared_model(read: ReadModel) -> Compared:
    """A configured model."""
    count = count_model(read)
    return Compared(count.model, count.family, count.symbols, _rows(count), count.parameters)


def compared_checkpoint(counted: CheckpointCount) -> Compared:
    """A checkpoint: what its tensors add up to; formulas where the closed form says the same. Of an index alone, the closed form."""
    path, count = counted.checkpoint.path, counted.count
    if not counted.checkpoint.tensors:
        if counted.read is None:
            raise CheckpointError(f"{path}: only the index is here, without files or a config.json; there is nothing to compare")
        return compared_model(counted.read)
    if counted.undecided:
        raise CheckpointError(f"{path}: packs weights in a way that is not known, so they cannot be compared; count it alone to see which")
    numbers = {name: row.numbers for name, row in _by_part(_rows(count)).items()} if count else {}
    rows = {}
    for part in counted.parts:
        fits = part.parameters == part.closed_form and bool(part.formula)
        rows[part.name] = Row(part.formula if fits else "", numbers.get(part.name, "") if fits else "", part.parameters)
    family, sizes = (count.family, count.symbols) if count else ("", {})
    return Compared(path, family, sizes, rows, {"total": counted.parameters}, checkpoint=True)


def compare(models: Sequence[Compared], diff: bool = False) -> Comparison:
    """The models side by side. Where one is a checkpoint, all components are called as parts of checkpoints are."""
    if any(model.checkpoint for model in models):
        models = [Compared(m.name, m.family, m.sizes, _by_part(m.rows), m.totals, m.checkpoint) for m in models]
    first = models[0]
    return Comparison(tuple(models), tuple(difference(first, other) for other in models[1:]) if diff else ())


def difference(first: Compared, second: Compared) -> Difference:
    """How the second differs from the first, component by component."""
    names = merged((first.rows, second.rows))
    changes = tuple(Change(name, first.rows.get(name), second.rows.get(name)) for name in names)
    changed = tuple((name, first.sizes.get(name), second.sizes.get(name)) for name in merged((first.sizes, second.sizes)))
    return Difference(first, second, changes, tuple(each for each in changed if each[1] != each[2]))


def merged(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """All names of several lists, each where its own list has it, behind those of earlier lists that stand in the same place."""
    found: list[str] = []
    for each in lists:
        names, at = tuple(each), 0
        for name in names:
            if name not in found:
                while at < len(found) and found[at] not in names:
                    at += 1
                found.insert(at, name)
            at = found.index(name) + 1
    return tuple(found)


def _rows(count: Count) -> dict[str, Row]:
    """The components by name; those of one name together."""
    return _together((part.name, Row(part.formula.text, part.numbers.text, part.parameters)) for part in count.components)


def _by_part(rows: Mapping[str, Row]) -> dict[str, Row]:
    return _together((part_of_component(name), row) for name, row in rows.items())


def _together(rows: Any) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for name, row in rows:
        if name in found:
            other = found[name]
            row = Row(
                " + ".join(filter(None, (other.formula, row.formula))),
                " + ".join(filter(None, (other.numbers, row.numbers))),
                other.parameters + row.parameters,
            )
        found[name] = row
    return found


def _parameters(row: Row | None) -> int:
    return 0 if row is None else row.parameters


def _row_dict(row: Row) -> dict[str, Any]:
    return {"formula": row.formula or None, "numbers": row.numbers or None, "parameters": row.parameters}
