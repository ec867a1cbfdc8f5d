"""A real model, built without memory, and what its tensors say.

The model is built on torch's meta device from a configuration whose numbers are traced (`derive.tracing.traced`): every tensor then
knows its shape and where each length came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from transformers import PreTrainedConfig
from transformers.initialization import no_init_weights

from derive.tracing.configurations import (
    IGNORED,
    Fields,
    Path,
    complete_positions,
    configured,
    fields_of,
    model_class,
    parts,
    quiet,
    trace_fields,
)  # fmt: skip
from derive.tracing.stand_ins import standing_in
from derive.tracing.traced import TracedInt, numbers_in, source_of


@dataclass(frozen=True, slots=True)
class Traced:
    """One tensor: its shape, and the expression that each length came from, where that is known."""

    shape: tuple[int, ...]
    sources: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """One real model: the fields of its configuration as the implementation completed them, its tensors and its repeated blocks.

    A tensor's name has `*` for each place in a list of modules; `tensors[name][places]` is the tensor there. `repeats[name][places]`
    is the length of a list of modules. `compared` are the words that strings were compared with, `written` the fields
    as the implementation would write them to a config.json.
    """

    fields: Fields
    written: Fields
    tensors: Mapping[str, Mapping[tuple[int, ...], Traced]]
    repeats: Mapping[str, Mapping[tuple[int, ...], int]]
    compared: Mapping[Path, frozenset[str]]

    @property
    def total(self) -> int:
        """Parameters [elements], a shared tensor once."""
        return sum(_product(tensor.shape) for places in self.tensors.values() for tensor in places.values())


def build(model_type: str, given: Mapping[str, Any], asked: set[Path]) -> Built:
    """The real model of a configuration. Raises whatever the implementation raises where it refuses the configuration.

    Fields that the implementation asks for in vain are added to `asked`.
    """
    config = configured(model_type, given)
    if hasattr(config, "is_decoder"):
        config.is_decoder = True
    complete_positions(config)
    fields = fields_of(config)
    written = fields_of(config.to_dict())
    seen: dict[Path, set[str]] = {}
    trace_fields(config, "", seen)
    with quiet(), _tracing(), _asking(config, asked), torch.device("meta"), no_init_weights(), _SourceMode():
        model = model_class(model_type)._from_config(config)
        model.tie_weights()
    tensors, repeats = _collected(model)
    return Built(fields, written, tensors, repeats, {path: frozenset(values) for path, values in seen.items() if values})


@contextmanager
def _asking(config: PreTrainedConfig, asked: set[Path]) -> Iterator[None]:
    """Fields that are asked for in vain are kept in `asked`."""
    prefixes = {id(part): prefix for prefix, part in parts(config, "")}

    def missed(part: Any, name: str) -> Any:
        prefix = prefixes.get(id(part), "" if type(part) is type(config) else None)
        if prefix is not None and not name.startswith("_") and name not in IGNORED:
            asked.add(prefix + name)
        raise AttributeError(f"'{type(part).__name__}' object has no attribute '{name}'")

    PreTrainedConfig.__getattr__ = missed
    try:
        yield
    finally:
        del PreTrainedConfig.__getattr__


@contextmanager
def _tracing() -> Iterator[None]:
    """Built-in functions of the implementations replaced by those that keep sources, and parameters that keep those of their data."""
    parameter = torch.nn.Parameter
    made = parameter.__new__

    def making(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        result = made(cls, data, requires_grad)
        if hasattr(data, "_sources"):
            result._sources = data._sources
        return result

    parameter.__new__ = staticmethod(making)
    try:
        with standing_in():
            yield
    finally:
        parameter.__new__ = made


class _SourceMode(TorchFunctionMode):
    """Tells each new tensor where its lengths came from."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and not hasattr(result, "_sources"):
            result._sources = _sources(tuple(result.shape), [*args, *(kwargs or {}).values()])
        return result


def _sources(shape: tuple[int, ...], given: list[Any]) -> tuple[str | None, ...]:
    """The expression of each length of a new tensor: those of a shape that was asked for, else of an equal number among what was given."""
    numbers = list(numbers_in(given))
    if tuple(numbers[: len(shape)]) == shape:
        return tuple(source_of(number) for number in numbers[: len(shape)])
    known = {int(number): source_of(number) for number in numbers if isinstance(number, TracedInt)}
    for value in given:
        if hasattr(value, "_sources"):
            known |= {length: source for length, source in zip(value.shape, value._sources, strict=False) if source}
    return tuple(known.get(length) for length in shape)


def _collected(model: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Tensors and lists of modules by their names with `*` for places."""
    kinds = torch.nn.ModuleList | torch.nn.ParameterList
    lists = dict.fromkeys(name for name, module in model.named_modules() if isinstance(module, kinds))
    tensors: dict[str, dict[tuple[int, ...], Traced]] = {}
    for name, parameter in model.named_parameters():
        pattern, places = _pattern(name, lists)
        shape = tuple(parameter.shape)
        sources = getattr(parameter, "_sources", (None,) * len(shape))
        tensors.setdefault(pattern, {})[places] = Traced(shape, sources if len(sources) == len(shape) else (None,) * len(shape))
    repeats: dict[str, dict[tuple[int, ...], int]] = {}
    for name in lists:
        pattern, places = _pattern(name, lists)
        repeats.setdefault(pattern, {})[places] = len(model.get_submodule(name))
    return tensors, repeats


def _pattern(name: str, lists: Mapping[str, None]) -> tuple[str, tuple[int, ...]]:
    """The name with `*` for places in lists of modules, and the places."""
    words: list[str] = []
    places: list[int] = []
    prefix = ""
    for word in name.split("."):
        if word.isdigit() and prefix in lists:
            places.append(int(word))
            words.append("*")
        else:
            words.append(word)
        prefix = f"{prefix}.{word}" if prefix else word
    return ".".join(words), tuple(places)


def _product(shape: tuple[int, ...]) -> int:
    product = 1
    for length in shape:
        product *= length
    return product
