"""A real model, built without memory, and what its tensors say.

The model is built on torch's meta device from a configuration whose numbers are traced (`derive.tracing.traced`): every tensor then
knows its shape and where each length came from.
"""

from __future__ import annotations

import logging
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from transformers import PreTrainedConfig
from transformers.initialization import no_init_weights
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from derive.tracing.traced import STAND_IN_MODULES, STAND_INS, TracedInt, TracedList, TracedText, numbers_in, plain, source_of, traced

IGNORED = frozenset(
    """
    transformers_version architectures output_hidden_states output_attentions return_dict dtype torch_dtype chunk_size_feed_forward
    id2label label2id problem_type use_cache model_type rope_parameters rope_scaling quantization_config initializer_range
    is_encoder_decoder is_decoder pruned_heads base_model_tp_plan base_model_pp_plan pad_token_id bos_token_id eos_token_id sep_token_id decoder_start_token_id forced_eos_token_id auto_map decoder text_config
    gradient_checkpointing generator encoder attribute_map name_or_path
    """.split()
)
"""Fields that no tensor depends on, or that are not the architecture's."""

_IMPLEMENTATION = re.compile(r"transformers\.models\.\w+\.(modeling|configuration)_\w+$")

Path = str
Fields = dict[Path, Any]


@dataclass(frozen=True, slots=True)
class Traced:
    """One tensor: its shape, and the expression that each length came from, where that is known."""

    shape: tuple[int, ...]
    sources: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """One real model: the fields of its configuration as the implementation completed them, its tensors and its repeated blocks.

    A tensor's name has `*` for each place in a list of modules; `tensors[name][places]` is the tensor there. `repeats[name][places]`
    is the length of a list of modules. `compared` are the words that strings were compared with.
    """

    fields: Fields
    tensors: Mapping[str, Mapping[tuple[int, ...], Traced]]
    repeats: Mapping[str, Mapping[tuple[int, ...], int]]
    compared: Mapping[Path, frozenset[str]]

    @property
    def total(self) -> int:
        """Parameters [elements], a shared tensor once."""
        return sum(_product(tensor.shape) for places in self.tensors.values() for tensor in places.values())


def config_class(model_type: str) -> type[PreTrainedConfig]:
    """The configuration class that the causal language model of a type is built from."""
    config = CONFIG_MAPPING[model_type]
    model = MODEL_FOR_CAUSAL_LM_MAPPING.get(config, None)
    inner = getattr(model, "config_class", None)
    return inner if isinstance(inner, type) and inner is not config and not issubclass(config, inner) else config


def other_names(model_type: str) -> dict[Path, Path]:
    """Other names of fields that the configuration class accepts, by path."""
    return dict(_other_names(config_class(model_type), ""))


def _other_names(cls: type[PreTrainedConfig], prefix: str) -> Iterator[tuple[Path, Path]]:
    for name, field in (getattr(cls, "attribute_map", None) or {}).items():
        if name not in IGNORED and field not in IGNORED:
            yield prefix + name, prefix + field
    for name, inner in (getattr(cls, "sub_configs", None) or {}).items():
        if isinstance(inner, type) and inner is not cls and prefix.count(".") < 2:
            yield from _other_names(inner, f"{prefix}{name}.")


def model_types() -> tuple[str, ...]:
    """The model types that transformers can build as causal language models."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    return tuple(sorted(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES))


def configured(model_type: str, given: Mapping[str, Any]) -> PreTrainedConfig:
    """The configuration as the implementation completes it."""
    with quiet():
        return config_class(model_type)(**given)


def configured_traced(model_type: str, given: Mapping[str, Any]) -> tuple[Fields, dict[Path, Any]]:
    """The fields of a completed configuration, and how those were worked out that were, from what was given."""
    values = _traced_copy(given, "")
    with _stand_ins():
        fields = fields_of(configured(model_type, values))
    sources = {path: _origin(value) for path, value in fields.items()}
    return {path: _untraced(value) for path, value in fields.items()}, sources


def _traced_copy(given: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    copy: dict[str, Any] = {}
    for name, value in given.items():
        path = prefix + name
        if isinstance(value, dict):
            copy[name] = _traced_copy(value, path + ".")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            copy[name] = traced(value, path)
        elif isinstance(value, list):
            copy[name] = TracedList.of(value, path, set())
        else:
            copy[name] = value
    return copy


def _origin(value: Any) -> Any:
    return [source_of(element) for element in value] if isinstance(value, list) else source_of(value)


def _untraced(value: Any) -> Any:
    if isinstance(value, list):
        return [_untraced(element) for element in value]
    return str(value) if isinstance(value, TracedText) else plain(value)


def build(model_type: str, given: Mapping[str, Any], asked: set[Path]) -> Built:
    """The real model of a configuration. Raises whatever the implementation raises where it refuses the configuration.

    Fields that the implementation asks for in vain are added to `asked`.
    """
    config = configured(model_type, given)
    if hasattr(config, "is_decoder"):
        config.is_decoder = True
    _complete_positions(config)
    fields = fields_of(config)
    seen: dict[Path, set[str]] = {}
    _trace_fields(config, "", seen)
    with quiet(), _tracing(), _asking(config, asked), torch.device("meta"), no_init_weights(), _SourceMode():
        model = _model_class(model_type)._from_config(config)
        model.tie_weights()
    tensors, repeats = _collected(model)
    return Built(fields, tensors, repeats, {path: frozenset(values) for path, values in seen.items() if values})


def _complete_positions(config: PreTrainedConfig) -> None:
    """Rotary settings, on which no tensor depends, for the layer types that have none where others have."""
    for _, part in _parts(config, ""):
        settings, types = getattr(part, "rope_parameters", None), getattr(part, "layer_types", None)
        if isinstance(settings, dict) and types and not any(key.startswith("rope_") for key in settings):
            part.rope_parameters = {name: {"rope_type": "default", "rope_theta": 10000.0} for name in types} | settings


def _model_class(model_type: str) -> Any:
    """The class of the causal language model of a type."""
    found = MODEL_FOR_CAUSAL_LM_MAPPING[CONFIG_MAPPING[model_type]]
    return found[0] if isinstance(found, tuple) else found


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings of implementations about unusual configurations."""
    logging.disable(logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def fields_of(config: Any, prefix: str = "") -> Fields:
    """The fields of a completed configuration by path: `hidden_size`, `ffn_config.moe_num_experts`."""
    found: Fields = {}
    for name, value in _items(config):
        if isinstance(value, PreTrainedConfig) or (isinstance(value, dict) and all(isinstance(key, str) for key in value)):
            found |= fields_of(value, f"{prefix}{name}.")
        elif value is None or isinstance(value, bool | int | float | str | list | tuple):
            found[prefix + name] = list(value) if isinstance(value, tuple) else value
    return found


def _items(config: Any) -> list[tuple[str, Any]]:
    values = config if isinstance(config, dict) else vars(config)
    return [(name, value) for name, value in values.items() if not name.startswith("_") and (name not in IGNORED or isinstance(value, PreTrainedConfig)) and name.isidentifier()]


def _trace_fields(config: Any, prefix: str, seen: dict[Path, set[str]]) -> None:
    """Replace the values of a configuration by traced ones."""
    values = config if isinstance(config, dict) else vars(config)
    for name, value in _items(config):
        path = prefix + name
        if isinstance(value, PreTrainedConfig):
            _trace_fields(value, path + ".", seen)
        elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
            values[name] = dict(value)
            _trace_fields(values[name], path + ".", seen)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            values[name] = traced(value, path)
        elif isinstance(value, str):
            values[name] = TracedText(value, seen.setdefault(path, set()))
        elif isinstance(value, list | tuple):
            values[name] = TracedList.of(list(value), path, seen.setdefault(path, set()))


@contextmanager
def _asking(config: PreTrainedConfig, asked: set[Path]) -> Iterator[None]:
    """Fields that are asked for in vain are kept in `asked`."""
    prefixes = {id(part): prefix for prefix, part in _parts(config, "")}

    def missed(part: Any, name: str) -> Any:
        prefix = prefixes.get(id(part), "" if type(part) is type(config) else None)
        if prefix is not None and not name.startswith("_") and name not in IGNORED:
            asked.add(prefix + name)
        raise AttributeError(f"'{type(part).__name__}' object has no attribute '{name}'")

    PreTrainedConfig.__getattr__ = missed  # type: ignore[attr-defined]
    try:
        yield
    finally:
        del PreTrainedConfig.__getattr__  # type: ignore[attr-defined]


def _parts(config: PreTrainedConfig, prefix: str) -> Iterator[tuple[str, PreTrainedConfig]]:
    """A configuration and those inside it, with their prefixes."""
    yield prefix, config
    for name, value in vars(config).items():
        if isinstance(value, PreTrainedConfig):
            yield from _parts(value, f"{prefix}{name}.")


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

    parameter.__new__ = staticmethod(making)  # type: ignore[assignment, method-assign]
    try:
        with _stand_ins():
            yield
    finally:
        parameter.__new__ = made  # type: ignore[method-assign]


@contextmanager
def _stand_ins() -> Iterator[None]:
    """Built-in functions that keep sources, in the modules of the implementations."""
    modules = [vars(module) for module in _implementations(len(sys.modules))]
    changed = [(names, name) for names in modules for name in STAND_INS if name not in names]
    replaced = [(names, name, *pair) for names in modules for name, pair in STAND_IN_MODULES.items() if names.get(name) is pair[0]]
    for names, name in changed:
        names[name] = STAND_INS[name]
    for names, name, _, stand_in in replaced:
        names[name] = stand_in
    try:
        yield
    finally:
        for names, name in changed:
            del names[name]
        for names, name, module, _ in replaced:
            names[name] = module


@lru_cache(maxsize=1)
def _implementations(known: int) -> tuple[Any, ...]:
    """The modules of implementations that are loaded, of so many modules altogether."""
    return tuple(module for name, module in sys.modules.items() if _IMPLEMENTATION.match(name))


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
    lists = {name for name, module in model.named_modules() if isinstance(module, torch.nn.ModuleList | torch.nn.ParameterList)}
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


def _pattern(name: str, lists: set[str]) -> tuple[str, tuple[int, ...]]:
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
