"""The text model inside a multimodal configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.config import Config, shown
from derive.families import model_types

_INHERITED = ("tie_word_embeddings", "quantization_config")
"""Keys that may stand outside the text model's own part and hold for it."""

_LEFT_OUT: Mapping[str, Mapping[str, int]] = {
    "gemma3_text": {"vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256},
}
"""Sizes that a nested part leaves out where they are its class's own: released configurations (Gemma 3 4B) rely on it."""


def text_part(config: Config) -> tuple[Config, tuple[str, ...]]:
    """The text model's configuration, and what to say about it; a text-only configuration is its own."""
    inner = config.values.get("text_config")
    if not isinstance(inner, Mapping) or not inner:
        return _as_text(config), ()
    model_type = config.model_type_of("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
    left_out = {key: size for key, size in _LEFT_OUT.get(_text_type(inner, model_type), {}).items() if inner.get(key) is None}
    values = {**_inherited(config, inner), **inner, **left_out, "model_type": _text_type(inner, model_type)}
    values.pop("architectures", None)
    taken = ", ".join(f"{key}={size}" for key, size in left_out.items())
    notes = (f"Counted is the text model of {model_type[:60]}{_others(config)}.", *((f"text_config leaves out {taken}.",) if taken else ()))
    return Config(values, f"{config.source} (text_config)"), notes


def _as_text(config: Config) -> Config:
    """A text-only configuration that goes by the name of the multimodal model (`llama4`)."""
    name = config.values.get("model_type")
    known = model_types()
    if isinstance(name, str) and name not in known and f"{name}_text" in known:
        return Config({**config.values, "model_type": f"{name}_text"}, config.source)
    return config


def _text_type(inner: Mapping[str, Any], outer: str) -> str:
    """The model type of the text model: its own, else that of the whole with `_text`."""
    own = inner.get("model_type")
    if isinstance(own, str) and f"{own}_text" in model_types():
        return f"{own}_text"
    return own if isinstance(own, str) else f"{outer}_text"


def _inherited(config: Config, inner: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: config.values[key] for key in _INHERITED if config.values.get(key) is not None}
    tied, own = found.get("tie_word_embeddings"), inner.get("tie_word_embeddings")
    if tied is not None and own is not None and tied != own:
        config.fail(f"tie_word_embeddings={shown(tied)} and text_config's tie_word_embeddings={shown(own)} disagree; keep one of them")
    return found


def _others(config: Config) -> str:
    """The parts that are not counted, by name."""
    parts = [key.removesuffix("_config") for key, value in config.values.items() if key.endswith("_config") and isinstance(value, Mapping)]
    others = [part for part in parts if part not in ("text", "quantization")]
    return f"; its other parts ({', '.join(others)[:80]}) are not" if others else ""
