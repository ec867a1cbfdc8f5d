"""The text model inside a multimodal configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.config import Config, shown
from derive.families import model_types

_PARTS = ("text_config", "llm_config", "language_config")
"""Keys under which a multimodal configuration has its text model."""

_HEADS = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")

_INHERITED = ("tie_word_embeddings", "quantization_config")
"""Keys that may stand outside the text model's own part and hold for it."""

_TEXT_MODELS: Mapping[str, str] = {
    "aria": "aria_text", "gemma3": "gemma3_text", "glm4v": "glm4", "glm4v_moe": "glm4_moe", "llama4": "llama4_text", "qwen2_vl": "qwen2",
    "qwen2_5_vl": "qwen2", "qwen3_vl": "qwen3", "qwen3_vl_moe": "qwen3_moe",
}  # fmt: skip
"""The family of the text model of a multimodal type; the type of the text part itself may have `_text` at its end."""

_LEFT_OUT: Mapping[str, Mapping[str, int]] = {
    "gemma3_text": {"vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256},
}
"""Sizes that a nested part leaves out where they are its class's own: released configurations (Gemma 3 4B) rely on it."""


def text_part(config: Config) -> tuple[Config, tuple[str, ...]]:
    """The text model's configuration, and what to say about it; a text-only configuration is its own."""
    for key in _PARTS:
        inner = config.values.get(key)
        if isinstance(inner, Mapping) and inner:
            return _nested(config, key, inner)
    return _flat(config)


def _nested(config: Config, key: str, inner: Mapping[str, Any]) -> tuple[Config, tuple[str, ...]]:
    """The part under `key`, with what the whole says for it."""
    outer = config.model_type_of(*_HEADS)
    family = _family(inner.get("model_type", outer))
    left_out = {name: size for name, size in _LEFT_OUT.get(str(family), {}).items() if inner.get(name) is None}
    values = {**_inherited(config, key, inner), **inner, **left_out, "model_type": family}
    values.pop("architectures", None)
    taken = ", ".join(f"{name}={size}" for name, size in left_out.items())
    notes = (_counted(config, outer, key), *((f"{key} leaves out {taken}.",) if taken else ()))
    return Config(values, f"{config.source} ({key})"), notes


def _flat(config: Config) -> tuple[Config, tuple[str, ...]]:
    """A configuration without such a part; older multimodal ones have the sizes of the text model at the top."""
    name = config.values.get("model_type")
    if not isinstance(name, str) or name not in _TEXT_MODELS or name in model_types():
        return config, ()
    config.model_type_of(*_HEADS)
    values = {key: value for key, value in config.values.items() if key != "architectures"}
    return Config({**values, "model_type": _TEXT_MODELS[name]}, config.source), (_counted(config, name, ""),)


def _family(model_type: Any) -> Any:
    """The family of a text part by its type, or by that of the whole."""
    if not isinstance(model_type, str) or model_type in model_types():
        return model_type
    return _TEXT_MODELS.get(model_type.removesuffix("_text"), model_type)


def _inherited(config: Config, part: str, inner: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: config.values[key] for key in _INHERITED if config.values.get(key) is not None}
    tied, own = found.get("tie_word_embeddings"), inner.get("tie_word_embeddings")
    if tied is not None and own is not None and tied != own:
        config.fail(f"tie_word_embeddings={shown(tied)} and the {shown(own)} of {part} disagree; keep one of them")
    return found


def _counted(config: Config, outer: str, part: str) -> str:
    """That the text model is counted, and which parts are not."""
    others = [key for key, value in config.values.items() if key.endswith("_config") and isinstance(value, Mapping)]
    named = ", ".join(key.removesuffix("_config") for key in others if key not in (part, "quantization_config"))
    return f"Counted is the text model of {outer[:60]}{f'; its other parts ({named[:80]}) are not' if named else ''}."
