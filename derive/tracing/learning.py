"""From sampled real models to a closed form that fits all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from derive.atlas.expression import ExpressionError, value
from derive.atlas.form import TensorForm
from derive.atlas.layered import at, is_own
from derive.atlas.tensors import list_of
from derive.tracing.building import Traced
from derive.tracing.configurations import Fields
from derive.tracing.deciding import Conditions, Row, bits
from derive.tracing.explaining import NotRecognisedError, explained
from derive.tracing.sampling import Sample

_MOST_LIMITS = 2


class Learner:
    """Explains the tensors of the samples. Raises `NotRecognisedError`, which names the tensor or the list of modules."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        names = dict.fromkeys(name for sample in samples for name in sample.built.fields)
        self.samples = samples
        self.fields: list[Fields] = [{name: sample.built.fields.get(name) for name in names} for sample in samples]
        self._conditions: dict[str, Conditions] = {}
        self._places: dict[tuple[int, str, int], set[tuple[int, ...]]] = {}
        self._order = _order(samples)
        self._seen: dict[tuple[int, tuple[int, ...]], Fields] = {}
        self._sample_of = {id(fields): sample for fields, sample in zip(self.fields, samples, strict=True)}
        self.repeated = self._repeated()
        self.filled: dict[str, str] = {}
        self.requires: list[str] = []

    def _repeated(self) -> dict[str, str]:
        """The length of each list of modules."""
        names = dict.fromkeys(name for sample in self.samples for name in sample.built.repeats)
        repeated: dict[str, str] = {}
        for name in sorted(names, key=lambda name: name.count(".*")):
            rows: list[Row] = []
            wanted: list[int] = []
            for fields, sample in zip(self.fields, self.samples, strict=True):
                for places, length in sample.built.repeats.get(name, {}).items():
                    rows.append((fields, places))
                    wanted.append(length)
            repeated[name] = explained(name, rows, wanted, ())
        return repeated

    def tensors(self) -> tuple[TensorForm, ...]:
        """Every tensor, in the order of the implementation."""
        names = sorted(dict.fromkeys(name for sample in self.samples for name in sample.built.tensors), key=self._order.__getitem__)
        found: dict[tuple[str, int], TensorForm] = {}
        waiting = [(name, rank) for name in names for rank in self._ranks(name)]
        while waiting:
            later: list[tuple[str, int]] = []
            for key in waiting:
                try:
                    found[key] = self._tensor(*key)
                except NotRecognisedError:
                    later.append(key)
            if len(later) == len(waiting):
                self._tensor(*later[0])
            waiting = later  # the conditions of other tensors may help
        return tuple(found[name, rank] for name in names for rank in self._ranks(name))

    def _ranks(self, name: str) -> list[int]:
        """How many dimensions a tensor has; one that has sometimes more is two tensors."""
        return sorted({len(tensor.shape) for sample in self.samples for tensor in sample.built.tensors.get(name, {}).values()})

    def filling(self, tensors: Sequence[TensorForm]) -> tuple[TensorForm, ...]:
        """The same tensors, where a field that may be null is given the value that stands for it: `head_dim` is then always a size.

        `filled` says which. Where that explains less than before, the tensors stay as they are.
        """
        found = {field: rule for tensor in tensors for text in tensor.lengths for field, rule in _fallbacks(text)}
        if not found:
            return tuple(tensors)
        before, self._conditions, self._places = self.fields, {}, {}
        self.fields = [
            {**fields, **{name: value(rule, fields) for name, rule in found.items() if fields.get(name) is None}} for fields in self.fields
        ]
        self._seen = {}
        self._sample_of |= {id(fields): sample for fields, sample in zip(self.fields, self.samples, strict=True)}
        try:
            filled = self.tensors()
        except (NotRecognisedError, ExpressionError):
            self.fields, self._conditions, self._places, self._seen = before, {}, {}, {}
            return tuple(tensors)
        self.filled = found
        return filled

    def _tensor(self, name: str, rank: int) -> TensorForm:
        rows: list[Row] = []
        tensors: list[Traced] = []
        for fields, sample in zip(self.fields, self.samples, strict=True):
            for places, tensor in _different(sample.built.tensors.get(name, {})).items():
                if len(tensor.shape) == rank:
                    rows.append((self._seen_from(fields, places), places))
                    tensors.append(tensor)
        lengths = tuple(
            explained(
                f"length {axis} of {name}",
                rows,
                [tensor.shape[axis] for tensor in tensors],
                (_in_general(tensor.sources[axis], places) for (_, places), tensor in zip(rows, tensors, strict=True)),
                self.repeated.get(list_of(name), ""),
            )
            for axis in range(rank)
        )
        return TensorForm(name, lengths, self._condition(name, rank))

    def _seen_from(self, fields: Fields, places: tuple[int, ...]) -> Fields:
        """The fields as the layer in this place has them."""
        key = (id(fields), places[:1])
        if key not in self._seen:
            own = [path for path in fields if is_own(path) and fields[path] is not None]
            here = at(fields, places, own)
            self._seen[key] = fields if here is fields else {path: here[path] for path in fields}
            self._sample_of[id(self._seen[key])] = self._sample_of[id(fields)]
        return self._seen[key]

    def _condition(self, name: str, rank: int) -> str:
        """Where a tensor is there."""
        conditions = self._over(list_of(name))
        present = bits(row[1] in self._at(row, name, rank) for row in conditions.rows)
        outside = conditions.outside(self.requires)
        found = conditions.separating(present & ~outside, present | outside)
        if found is None and len(self.requires) < _MOST_LIMITS:
            found = self._limited(conditions, present, outside)
        if found is None:
            raise NotRecognisedError(f"where {name} is there")
        self._check_inner(name)
        if " and " in found or " or " in found:
            conditions.know(found)
        return found

    def _limited(self, conditions: Conditions, present: int, outside: int) -> str | None:
        """The condition where sizes are in proportion, such as no more shared layers than layers; `requires` keeps what that takes."""
        for limit, rows in conditions.limits(outside):
            found = conditions.separating(present & ~rows, present | rows)
            if found is not None:
                self.requires.append(limit)
                return found
        return None

    def _at(self, row: Row, name: str, rank: int) -> set[tuple[int, ...]]:
        """The places in the outermost list where a sample has the tensor."""
        key = (id(row[0]), name, rank)
        if key not in self._places:
            sample = self._sample_of[id(row[0])]
            tensors = sample.built.tensors.get(name, {})
            self._places[key] = {places[:1] for places, tensor in tensors.items() if len(tensor.shape) == rank}
        return self._places[key]

    def _check_inner(self, name: str) -> None:
        """In inner lists a tensor is everywhere or nowhere."""
        if name.count(".*") != 2:
            return
        inner = ".*".join(name.split(".*")[:2])
        for fields, sample in zip(self.fields, self.samples, strict=True):
            by_outer: dict[int, int] = {}
            for places in sample.built.tensors.get(name, {}):
                by_outer[places[0]] = by_outer.get(places[0], 0) + 1
            for i, found in by_outer.items():
                if found != value(self.repeated[inner], fields, (i,)):
                    raise NotRecognisedError(f"{name} is not in every place of the inner list")

    def _over(self, outer: str) -> Conditions:
        """The conditions over samples, or over the layers of a list."""
        if outer not in self._conditions:
            count = self.repeated.get(outer, "")
            rows = [(self._seen_from(fields, places), places) for fields in self.fields for places in _places(count, fields)]
            self._conditions[outer] = Conditions(rows, count)
        return self._conditions[outer]


def _order(samples: Sequence[Sample]) -> dict[str, int]:
    """The place of every tensor in the first of the samples that has it, those with most tensors first."""
    order: dict[str, int] = {}
    for sample in sorted(samples, key=lambda sample: -len(sample.built.tensors)):
        for index, name in enumerate(sample.built.tensors):
            order.setdefault(name, index)
    return order


def _fallbacks(text: str) -> Iterator[tuple[str, str]]:
    """Where a whole expression is a field, or what stands for it when it is null."""
    for pattern in (
        r"(?P<rule>[^?]+) if (?P<field>[\w.]+) is None else (?P=field)",
        r"(?P<field>[\w.]+) if (?P=field) is not None else (?P<rule>.+)",
    ):
        match = re.fullmatch(pattern, text)
        if match and " if " not in match["rule"]:
            yield match["field"], match["rule"]


def _different(places: Mapping[tuple[int, ...], Traced]) -> dict[tuple[int, ...], Traced]:
    """One tensor for each place in the outermost list and each shape there."""
    found: dict[tuple[Any, ...], tuple[tuple[int, ...], Traced]] = {}
    for place, tensor in places.items():
        found.setdefault((place[:1], tensor.shape, tensor.sources), (place, tensor))
    return dict(found.values())


def _places(count: str, fields: Fields) -> list[tuple[int, ...]]:
    if not count:
        return [()]
    try:
        return [(index,) for index in range(value(count, fields))]
    except (ExpressionError, TypeError):
        return []


def _in_general(source: str | None, places: tuple[int, ...]) -> str | None:
    """An expression of one layer as one of every layer: `sizes[3]` in layer 3 is `sizes[i]`."""
    if source is None or not places:
        return source
    return re.sub(rf"\[{places[0]}\]", "[i]", source)
