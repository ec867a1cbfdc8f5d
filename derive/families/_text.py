"""The text model inside a multimodal configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from derive.config import Config, shown
from derive.families import model_types
from derive.families._text_defaults import HEADS_OF_WIDTH, LEFT_OUT

_PARTS = ("text_config", "llm_config", "language_config")
"""Keys under which a multimodal configuration has its text model."""

_WITHIN = "thinker_config"
"""The key under which a model that also speaks has its text model and the encoders beside it."""

_OTHER_HEADS = re.compile(r"For(?!CausalLM$|ConditionalGeneration$)[A-Z]\w+$|(?<!Chat)(?<!LMHead)(?<!Omni)Model$")
"""Architectures of a whole that has no language model's head."""

_TIED = "tie_word_embeddings"
_INHERITED = (_TIED, "quantization_config")
"""Keys that may stand outside the text model's own part and hold for it."""

_TEXT_MODELS: Mapping[str, str] = {
    "aria": "aria_text", "gemma3": "gemma3_text", "glm4v": "glm4", "glm4v_moe": "glm4_moe", "granite_docling": "granite",
    "llama4": "llama4_text", "paddleocr_vl": "ernie4_5", "qwen2_vl": "qwen2", "qwen2_5_omni": "qwen2", "qwen2_5_vl": "qwen2",
    "qwen3_omni_moe": "qwen3_moe", "qwen3_vl": "qwen3", "qwen3_vl_moe": "qwen3_moe",
}  # fmt: skip
"""The family of the text model of a multimodal type; the type of the text part itself may have `_text` at its end."""


def text_part(config: Config) -> tuple[Config, tuple[str, ...]]:
    """The text model's configuration, and what to say about it; a text-only configuration is its own."""
    config = _unfolded(config)
    for key in _PARTS:
        inner = config.values.get(key)
        if isinstance(inner, Mapping) and inner:
            return _nested(config, key, inner)
    return _flat(config)


def _unfolded(config: Config) -> Config:
    """The configuration with the parts of its thinker beside those that speak."""
    thinker = config.values.get(_WITHIN)
    if not isinstance(thinker, Mapping):
        return config
    said = {key: config.values[key] for key in ("model_type", "architectures") if key in config.values}
    others = {key: value for key, value in config.values.items() if key != _WITHIN}
    return Config({**others, **thinker, **said}, config.source)


def _nested(config: Config, key: str, inner: Mapping[str, Any]) -> tuple[Config, tuple[str, ...]]:
    """The part under `key`, with what the whole says for it and what its class says where it is silent."""
    outer = _outer_type(config)
    own = inner.get("model_type", outer)
    family = _family(own)
    left_out = _left_out(own, str(family), inner)
    values = {**_inherited(config), **inner, **left_out, **_of_the_whole(config), "model_type": family}
    values.pop("architectures", None)
    taken = ", ".join(f"{name}={size}" for name, size in left_out.items())
    notes = (
        _counted(config, outer, key),
        f"{key} leaves out {taken}: the defaults of its class." if taken else "",
        _overruled(config, key, inner),
    )
    return Config(values, f"{config.source} ({key})"), tuple(note for note in notes if note)


def _outer_type(config: Config) -> str:
    """The type of the whole, where its model has a head for language."""
    if _OTHER_HEADS.search(config.architecture):
        config.fail(f"architectures names {shown(config.architecture)}, which is not a causal language model")
    return config.named_type


def _left_out(own: Any, family: str, inner: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes that are left out because they are the defaults of the part's class."""
    defaults = next((LEFT_OUT[name] for name in (f"{own}", f"{own}_text", family) if name in LEFT_OUT), {})
    found = {key: size for key, size in defaults.items() if key not in inner}
    return found | _heads_of_width(own, {**found, **inner})


def _heads_of_width(own: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The head size of a text model that has d/h where its family has a size of its own."""
    d, h = values.get("hidden_size"), values.get("num_attention_heads")
    if str(own) not in HEADS_OF_WIDTH or values.get("head_dim") is not None or not (isinstance(d, int) and isinstance(h, int) and h > 0):
        return {}
    return {"head_dim": d // h}


def _flat(config: Config) -> tuple[Config, tuple[str, ...]]:
    """A configuration without such a part; older multimodal ones have the sizes of the text model at the top."""
    name = config.values.get("model_type")
    if not isinstance(name, str) or name not in _TEXT_MODELS or name in model_types():
        return config, ()
    _outer_type(config)
    values = {key: value for key, value in config.values.items() if key != "architectures"}
    values |= _heads_of_width(name, values)
    return Config({**values, "model_type": _TEXT_MODELS[name]}, config.source), (_counted(config, name, ""),)


def _family(model_type: Any) -> Any:
    """The family of a text part by its type, or by that of the whole."""
    if not isinstance(model_type, str) or model_type in model_types():
        return model_type
    return _TEXT_MODELS.get(model_type.removesuffix("_text"), model_type)


def _inherited(config: Config) -> dict[str, Any]:
    return {key: config.values[key] for key in _INHERITED if config.values.get(key) is not None}


def _of_the_whole(config: Config) -> dict[str, Any]:
    """What the whole decides, whatever its text part says: the output head is the whole's."""
    tied = config.values.get(_TIED)
    return {} if tied is None else {_TIED: tied}


def _overruled(config: Config, part: str, inner: Mapping[str, Any]) -> str:
    """That the whole and its text part disagree; empty where they do not."""
    tied, own = config.values.get(_TIED), inner.get(_TIED)
    if tied is None or own is None or tied == own:
        return ""
    return f"{_TIED} is {shown(tied)} for the whole and {shown(own)} in {part}; the output head is the whole's, so {shown(tied)} holds."


def _counted(config: Config, outer: str, part: str) -> str:
    """That the text model is counted, and which parts are not."""
    others = [key for key, value in config.values.items() if key.endswith("_config") and isinstance(value, Mapping)]
    named = ", ".join(key.removesuffix("_config") for key in others if key not in (part, "quantization_config"))
    return f"Counted is the text model of {outer[:60]}{f'; its other parts ({named[:80]}) are not' if named else ''}."
