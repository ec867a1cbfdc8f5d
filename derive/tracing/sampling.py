"""Odd but valid configurations of a model type, by a random walk: what the real implementation builds is kept."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any

from huggingface_hub.errors import StrictDataclassError

from derive.atlas.completing import nested
from derive.tracing.building import Built, build
from derive.tracing.configurations import IGNORED, Fields, compared_words, config_class, further_names

MOST_TENSORS = 1500
"""Models with more named tensors are not kept: they are slow and say nothing new."""

_FLOATS = (0.25, 0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
REFUSED = (
    ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError, AssertionError, ImportError, StopIteration,
    StrictDataclassError,
)  # fmt: skip
"""What implementations raise where a configuration does not suit them."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was given, by path, and the real model of it."""

    given: Fields
    built: Built


def proportions(fields: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Fields with those that they cannot be larger than: layers that share something, and layers."""
    shared = [path for path in fields if path.endswith("shared_layers")]
    return [(path, f"{path.rpartition('.')[0]}{'.' if '.' in path else ''}num_hidden_layers") for path in shared]


class Sampler:
    """The random walk of one model type; the same seed gives the same configurations."""

    def __init__(self, model_type: str, seed: int) -> None:
        self.model_type = model_type
        self.random = Random(seed)
        self.alternatives: dict[str, set[Any]] = {}
        self.kinds = _kinds(model_type)
        self.optional = frozenset(
            path for path, kinds in self.kinds.items() if type(None) in kinds and path.rpartition(".")[2] not in IGNORED
        )
        self.used_floats: set[str] = set()
        self.asked: set[str] = set(further_names(model_type))
        self.refusal = ""
        self.start = self._first()
        self.current = self.start
        self.small = self._shrunk()

    def attempt(self, given: Fields, most: float = MOST_TENSORS) -> Sample | None:
        """The sample of these fields, or None where the implementation refuses them or the model has more than `most` tensors."""
        try:
            built = build(self.model_type, nested(given), self.asked)
        except REFUSED as error:
            self.refusal = str(error)
            return None
        if sum(map(len, built.tensors.values())) > most:
            return None
        if any(
            value > built.fields.get(limit, value)
            for path, limit in proportions(built.fields)
            if isinstance(value := built.fields[path], int)
        ):
            return None
        self._learn(built)
        return Sample(dict(given), built)

    def samples(self, count: int) -> Iterator[Sample]:
        """So many samples, each some steps from an earlier one."""
        made = 0
        for attempt in range(count * 30):
            if made == count:
                return
            if attempt % 7 == 6:
                self.current = self.random.choice((self.small, self.start, self.small))
            found = self._step(self.random.choice((1, 2, 4, 8, 16, len(self.start.built.fields) // 3)))
            if found is not None:
                self.current = found
                made += 1
                yield found

    def _learn(self, built: Built) -> None:
        for path, values in built.compared.items():
            self.alternatives.setdefault(path, set()).update(values)
        for path, value in built.fields.items():
            if isinstance(value, str):
                self.alternatives.setdefault(path, set()).add(value)
            elif isinstance(value, list):
                self.alternatives.setdefault(path, set()).update(element for element in value if isinstance(element, str))
            elif isinstance(value, float) and path not in self.used_floats:
                self._use(path, built)

    def _use(self, path: str, built: Built) -> None:
        if any(source and path in source for places in built.tensors.values() for tensor in places.values() for source in tensor.sources):
            self.used_floats.add(path)

    def _first(self) -> Sample:
        """The default configuration, repaired where it cannot be built: optional sizes get values, one after another."""
        found = self.attempt({}, inf)
        if found is not None:
            return found
        given: Fields = {}
        for attempt in range(400):
            given = self._repaired({} if attempt % 50 == 0 else given)
            found = self.attempt(given, inf)
            if found is not None:
                return found
        raise ValueError(f"{self.model_type}: no configuration near the default can be built; the last refusal: {self.refusal}")

    def _repaired(self, given: Fields) -> Fields:
        """Other values for the fields that the refusal names; where it names none, for optional ones and those that were asked for."""
        named = [path for path in self.kinds if path.rpartition(".")[2] in self.refusal]
        chosen = {path: self._another(path) for path in named if self.random.random() < 0.9}
        for path in () if named else (*sorted(self.optional), *sorted(self.asked - further_names(self.model_type).keys())):
            if self.random.random() < 0.3:
                chosen[path] = self._one_like(path, None, {})
        return {**given, **{path: value for path, value in chosen.items() if value is not _LEFT_OUT}}

    def _another(self, path: str) -> Any:
        """A simple value of a field that was refused."""
        kinds = self.kinds[path]
        simple = ((int, (0, 1, 2, 4, 64)), (bool, (False, True)), (type(None), (None,)))
        values = [value for kind, of_kind in simple if kind in kinds for value in of_kind]
        return self.random.choice(values) if values else _LEFT_OUT

    def _shrunk(self) -> Sample:
        """The default with its sizes made small, one after another."""
        current = self.start
        paths = [
            path for path, value in current.built.fields.items() if isinstance(value, int) and not isinstance(value, bool) and value > 4
        ]
        for _ in range(2):
            self.random.shuffle(paths)
            for path in sorted(paths, key=lambda path: "layers" not in path and "experts" not in path):
                for _ in range(4):
                    old = current.built.fields.get(path)
                    if not isinstance(old, int) or old < 12:
                        break
                    found = self.attempt(self._changed(current, path, self._smaller(old, current.built.fields)))
                    if found is not None:
                        current = found
                        break
        return current

    def _smaller(self, value: int, fields: Fields) -> int:
        if value <= 128:
            return self.random.randint(3, 12)
        unit = self.random.choice([1, *(size for size in fields.values() if isinstance(size, int) and 1 < size < 40)])
        return unit * self.random.randint(1, max(1, 120 // unit))

    def _step(self, changes: int) -> Sample | None:
        given = self.current.given
        sample = self.current
        paths = [path for path in sample.built.fields if self._can_change(path, sample.built.fields[path])]
        for path in self.random.sample(paths, min(changes, len(paths))):
            given = self._changed(Sample(given, sample.built), path, self._proposed(path, sample.built.fields))
        for path in self.random.sample(sorted(self.asked), min(len(self.asked), self.random.randint(0, 2))):
            given = {**given, path: self._one_like(path, self.random.choice((None, 1, True)), sample.built.fields)}
        if self.random.random() < 0.3 and given:
            for path in self.random.sample(list(given), self.random.randint(1, max(1, len(given) // 3))):
                given = {name: value for name, value in given.items() if name != path}
        return self.attempt(given) or self._together(given, sample)

    def _together(self, given: Fields, sample: Sample) -> Sample | None:
        """The same with the sizes that the refusal names made equal: heads that have to be as many as others."""
        sizes = [path for path, value in sample.built.fields.items() if isinstance(value, int) and path.rpartition(".")[2] in self.refusal]
        changed = [given[path] for path in sizes if path in given]
        return self.attempt({**given, **dict.fromkeys(sizes, changed[-1])}) if changed and len(sizes) > 1 else None

    def _can_change(self, path: str, value: Any) -> bool:
        if isinstance(value, float):
            return path in self.used_floats
        if isinstance(value, str):
            return len(self.alternatives.get(path, ())) > 1 or len(self.kinds.get(path, ())) > 1
        if value is None:
            return path in self.optional
        return True

    def _changed(self, sample: Sample, path: str, value: Any) -> Fields:
        """What is given, with one field changed; lists as long as an old size follow it."""
        given = dict(sample.given)
        old = sample.built.fields.get(path)
        counts_layers = "layer" in path or "depth" in path
        if counts_layers and isinstance(old, int) and isinstance(value, int) and not isinstance(old, bool):
            for name, listed in sample.given.items():
                if isinstance(listed, list | str) and len(listed) == old and value > 0:
                    given[name] = (listed * value)[:value]
        if value is _LEFT_OUT:
            given.pop(path, None)
        else:
            given[path] = value
        return given

    def _proposed(self, path: str, fields: Fields) -> Any:
        value = fields[path]
        if value is not None and not isinstance(value, bool) and path in self.optional and self.random.random() < 0.15:
            return None
        return self._one_like(path, value, fields)

    def _one_like(self, path: str, value: Any, fields: Fields) -> Any:
        kinds = self.kinds.get(path, ())
        if isinstance(value, bool) or (value is None and bool in kinds and int not in kinds):
            return not value
        if isinstance(value, list):
            return self._list(path, value, fields)
        if isinstance(value, str) or (value is None and str in kinds and int not in kinds):
            return self._text(path, value, fields)
        if isinstance(value, float) or (value is None and float in kinds and int not in kinds):
            return self.random.choice(_FLOATS)
        if value is None and list in kinds and int not in kinds:
            return self._list(path, [], fields)
        if str in kinds and self.random.random() < 0.2:
            return "auto"
        if "layers" in path and self.random.random() < 0.9:
            return self.random.randint(1, 14)
        return self._size(value or 0, fields)

    def _text(self, path: str, value: str | None, fields: Fields) -> Any:
        if isinstance(value, str) and value and set(value) <= set("MEAD*-+|FSLGC"):
            return "".join(self.random.choice(sorted(set(value) | {"M", "*", "-"})) for _ in value)
        literal = [kind for kind in self.kinds.get(path, ()) if isinstance(kind, str)]
        return self.random.choice(sorted(self.alternatives.get(path, set()) | set(literal)) or [value])

    def _size(self, value: int, fields: Fields) -> int:
        sizes = [size for size in fields.values() if isinstance(size, int) and not isinstance(size, bool) and 1 < size <= 512]
        random = self.random
        one, other = (random.choice(sizes or [2]) for _ in range(2))
        choice = random.randrange(12)
        if choice == 0:
            return 0 if random.random() < 0.5 else 1
        if choice <= 3:
            return random.randint(1, 12)
        if choice <= 5:
            return random.randint(8, 140)
        if choice == 6:
            return max(0, value + random.choice((-1, 1)))
        if choice == 7:
            return one
        if choice <= 9:
            return one * random.randint(1, 6)
        if choice == 10:
            return one * other if one * other < 5000 else one
        return max(1, one // random.randint(1, 4))

    def _list(self, path: str, value: list[Any], fields: Fields) -> Any:
        random = self.random
        if random.random() < 0.3:
            return _LEFT_OUT
        words = sorted(word for word in self.alternatives.get(path, ()) if isinstance(word, str))
        if not value and not words and "types" in path:
            return [
                random.choice(compared_words(self.model_type) or ("full_attention",)) for _ in range(fields.get("num_hidden_layers", 32))
            ]
        if value and all(isinstance(element, str) for element in value):
            listed = sorted({*words, *(word for word in compared_words(self.model_type) if random.random() < 0.1)})
            return [random.choice(listed) for _ in value]
        if value and all(isinstance(element, bool) for element in value):
            return [random.random() < 0.5 for _ in value]
        layers = [size for name, size in fields.items() if isinstance(size, int) and "layers" in name and 1 <= size <= 64]
        if all(isinstance(element, int) for element in value):
            if value and len(value) in layers and (len(set(value)) < len(value) or max(value) >= len(value) * 2):
                choices = sorted(
                    {self._size(value[0], fields) for _ in range(2)} | {value[0]} | ({0, 1} if set(value) <= {0, 1} else set())
                )
                return [random.choice(choices) for _ in value]
            top = random.choice(layers or [4])
            return sorted(random.sample(range(top), random.randint(0, top)))
        return _LEFT_OUT


_LEFT_OUT: Any = object()


def _annotated(cls: type, prefix: str) -> Iterator[tuple[str, Any]]:
    for parent in reversed(cls.__mro__):
        for name, annotation in vars(parent).get("__annotations__", {}).items():
            if not name.startswith("_"):
                yield prefix + name, annotation
    for name, inner in (getattr(cls, "sub_configs", None) or {}).items():
        if isinstance(inner, type) and inner is not cls and prefix.count(".") < 2:
            yield from _annotated(inner, f"{prefix}{name}.")


def _parts(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of an annotation: `int | None`, `Literal["a", "b"]`, `list[str]`."""
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return tuple(part for argument in typing.get_args(annotation) for part in _parts(argument))
    if origin is typing.Literal:
        return typing.get_args(annotation)
    return (origin or annotation,)


def _kinds(model_type: str) -> dict[str, tuple[Any, ...]]:
    """The alternatives of each field's annotation, by path."""
    return {path: _parts(annotation) for path, annotation in _annotated(config_class(model_type), "")}
