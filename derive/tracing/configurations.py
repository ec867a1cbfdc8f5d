"""Configurations of transformers: their classes, their fields by path, and copies whose numbers are traced."""

from __future__ import annotations

import ast
import inspect
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from transformers import PreTrainedConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from derive.atlas.layered import KEY, lists_of
from derive.tracing.stand_ins import standing_in
from derive.tracing.traced import TracedList, TracedText, plain, source_of, traced

IGNORED = frozenset(
    """
    transformers_version architectures output_hidden_states output_attentions return_dict dtype torch_dtype chunk_size_feed_forward
    id2label label2id problem_type use_cache model_type rope_parameters rope_scaling quantization_config initializer_range
    is_encoder_decoder is_decoder pruned_heads base_model_tp_plan base_model_pp_plan pad_token_id bos_token_id eos_token_id
    sep_token_id decoder_start_token_id forced_eos_token_id auto_map decoder text_config
    per_layer_config gradient_checkpointing generator encoder attribute_map name_or_path
    """.split()
)
"""Fields that no tensor depends on, or that are not the architecture's."""

Path = str
Fields = dict[Path, Any]


def config_class(model_type: str) -> type[PreTrainedConfig]:
    """The configuration class that the causal language model of a type is built from."""
    config: type[PreTrainedConfig] = CONFIG_MAPPING[model_type]
    model = MODEL_FOR_CAUSAL_LM_MAPPING.get(config, None)
    inner: Any = getattr(model, "config_class", None)
    if inner is not None and str(inner.model_type).startswith(f"{model_type}_"):
        config = inner
    return config


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


_TAKEN = re.compile(r"""kwargs\.(?:pop|get)\(\s*["'](\w+)["']\s*(?:,\s*([^()\n]+?))?\s*,?\s*\)|["'](\w+)["'] in kwargs""")


@lru_cache(maxsize=4)
def further_names(model_type: str) -> Mapping[Path, Any]:
    """Names that a configuration class takes from a config.json though they are no fields of it, with their defaults, by its source."""
    cls = config_class(model_type)
    annotated = {name for parent in cls.__mro__ for name in vars(parent).get("__annotations__", {})}
    found: dict[Path, Any] = {}
    for name, default, asked in _TAKEN.findall(inspect.getsource(cls)):
        if (name or asked) not in annotated | IGNORED and not re.search("rope|rotary|base_freq", name or asked):
            found[name or asked] = found.get(name or asked, _literal(default))
    return found


@lru_cache(maxsize=4)
def own_defaults(model_type: str) -> Mapping[Path, Any]:
    """The fields of a configuration class that its own source computes with, and what they are before they are completed."""
    cls = config_class(model_type)
    source = inspect.getsource(cls)
    changed = set(re.findall(r"self\.(\w+)(?:, [\w.]+)* (?://|\*|\+|-)?= ", source)) - IGNORED
    fields = {name: one.default for name, one in getattr(cls, "__dataclass_fields__", {}).items() if name in changed}
    return {name: default for name, default in fields.items() if default is None or isinstance(default, int | str | float)}


@lru_cache(maxsize=4)
def compared_words(model_type: str) -> tuple[str, ...]:
    """The words with which the source of a model compares something."""
    sources = [inspect.getsource(module) for module in (inspect.getmodule(model_class(model_type)),) if module]
    sources.append(inspect.getsource(config_class(model_type)))
    found = {word for source in sources for word in re.findall(r"""[=!]= ["'](\w+)["']|["'](\w+)["'] in self""", source)}
    return tuple(sorted({word for pair in found for word in pair if word}))


def _literal(text: str) -> Any:
    """The number, string or truth value that a text stands for; None for anything else."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None


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
    with standing_in():
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


def complete_positions(config: PreTrainedConfig) -> None:
    """Rotary settings, on which no tensor depends, for the layer types that have none where others have."""
    for _, part in parts(config, ""):
        settings, types = getattr(part, "rope_parameters", None), getattr(part, "layer_types", None)
        if isinstance(settings, dict) and types and not any(key.startswith("rope_") for key in settings):
            part.rope_parameters = {name: {"rope_type": "default", "rope_theta": 10000.0} for name in types} | settings


def model_class(model_type: str) -> Any:
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
    layers = config.get("num_hidden_layers") if isinstance(config, dict) else vars(config).get("num_hidden_layers")
    for name, value in _own_of_layers(config, layers):
        found[f"{prefix}{KEY}.{name}"] = value
    for name, value in _items(config):
        if isinstance(value, PreTrainedConfig) or (isinstance(value, dict) and all(isinstance(key, str) for key in value)):
            found |= fields_of(value, f"{prefix}{name}.")
        elif value is None or isinstance(value, bool | int | float | str | list | tuple):
            found[prefix + name] = list(value) if isinstance(value, tuple) else value
    return found


def _own_of_layers(config: Any, layers: Any) -> list[tuple[str, list[Any]]]:
    """The values that layers have of their own, as lists."""
    if isinstance(config, dict):
        own = config.get(KEY)
    else:
        own = getattr(vars(config).get("_heterogeneity_spec"), "per_layer_overrides", None)
    return list(lists_of(own, layers).items()) if own and isinstance(layers, int) else []


def _items(config: Any) -> list[tuple[str, Any]]:
    values = config if isinstance(config, dict) else vars(config)
    return [
        (name, value)
        for name, value in values.items()
        if not name.startswith("_") and name.isidentifier() and (name not in IGNORED or _is_inner(name, value))
    ]


def _is_inner(name: str, value: Any) -> bool:
    """Whether a field is a configuration of its own, also where it is written as a dictionary."""
    return isinstance(value, PreTrainedConfig) or (isinstance(value, dict) and name in ("text_config", "decoder", "encoder"))


def trace_fields(config: Any, prefix: str, seen: dict[Path, set[str]]) -> None:
    """Replace the values of a configuration by traced ones."""
    values = config if isinstance(config, dict) else vars(config)
    for name, value in _items(config):
        path = prefix + name
        if isinstance(value, PreTrainedConfig):
            trace_fields(value, path + ".", seen)
        elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
            values[name] = dict(value)
            trace_fields(values[name], path + ".", seen)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            values[name] = traced(value, path)
        elif isinstance(value, str):
            values[name] = TracedText(value, seen.setdefault(path, set()))
        elif isinstance(value, list | tuple):
            values[name] = TracedList.of(list(value), path, seen.setdefault(path, set()))


def parts(config: PreTrainedConfig, prefix: str) -> Iterator[tuple[str, PreTrainedConfig]]:
    """A configuration and those inside it, with their prefixes."""
    yield prefix, config
    for name, value in vars(config).items():
        if isinstance(value, PreTrainedConfig):
            yield from parts(value, f"{prefix}{name}.")
