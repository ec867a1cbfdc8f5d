"""Reading a config.json: bounded, strict, and with the keys named in every error."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from derive.errors import ConfigError
from derive.strict_json import NotJsonError, strict_json
from derive.symbols import BY_NAME

LARGEST_FILE = 4 * 2**20
LARGEST_SIZE = 2**48


STRUCTURAL = frozenset(
    """
    add_bias_linear add_cross_attention add_qkv_bias attention_bias attention_out_bias attn_layer_indices attn_layer_period
    attn_type_list bias block_types expert_layer_period first_k_dense_replace full_attention_interval full_attn_idxs
    hybrid_override_pattern index_topk indexer_types is_encoder_decoder kv_lora_rank layer_types layers_block_type linear_attn_config
    mlp_bias mlp_layer_types mlp_only_layers moe_intermediate_size moe_latent_size moe_layer_freq moe_layers moe_num_experts multi_query
    multi_query_attention n_routed_experts n_shared_experts new_decoder_architecture per_layer_config num_experts num_kv_shared_layers
    num_local_experts num_nextn_predict_layers q_lora_rank qk_layernorm qk_norm qkv_bias shared_expert_intermediate_size
    shared_intermediate_size use_bias use_parallel_residual use_qk_norm use_qkv_bias word_embed_proj_dim
    """.split()
)
"""Keys that decide in some family which tensors there are. A family that does not read such a key cannot count the model."""

WITH_A_HEAD = frozenset({"ChatGLMModel", "ChatGLMForConditionalGeneration"})
"""Architectures whose name does not say so, but that are causal language models."""

TYPE_OF = {"MiniCPMForCausalLM": "minicpm"}
"""Model types of released configurations that name their architecture alone."""


@dataclass(frozen=True, slots=True)
class Config:
    """A model configuration as read, and the name by which messages call it. It remembers the keys that were read."""

    values: Mapping[str, Any]
    source: str
    read: set[str] = field(default_factory=set, compare=False, repr=False)

    @property
    def model_type(self) -> str:
        """The architecture that the configuration names; an error where its head is not a causal language model's."""
        name = self.architecture
        if name and name not in WITH_A_HEAD and not name.endswith(("ForCausalLM", "LMHeadModel")):
            self.fail(f"architectures names {shown(name)}, which is not a causal language model")
        return self.named_type

    @property
    def named_type(self) -> str:
        """The model type, whatever head the model has."""
        value = self.values.get("model_type", TYPE_OF.get(self.architecture))
        if value is None:
            self.fail("has no 'model_type' key, so its architecture is unknown")
        if not isinstance(value, str):
            self.fail(f"model_type must be a string, not {shown(value)}")
        return value

    @property
    def architecture(self) -> str:
        """The first of the architectures that the configuration names; empty where it names none."""
        names = self.values.get("architectures")
        return names[0] if isinstance(names, list) and names and isinstance(names[0], str) else ""

    def check_all_read(self) -> None:
        """Raise where a key that decides which tensors there are is set, but was not read."""
        ignored = [key for key in sorted(STRUCTURAL - self.read) if self.values.get(key)]
        if ignored:
            self.fail(f"{ignored[0]}={shown(self.values[ignored[0]])} is not known to this family, and would change the count")

    def fail(self, message: str) -> NoReturn:
        """Raise a `ConfigError` that names the configuration."""
        raise ConfigError(f"{self.source}: {message}")

    def size(self, symbol: str, *keys: str, default: int | None = None, null: int | None = None, least: int = 1) -> int:
        """The size that `symbol` stands for, from the keys given, else from the vocabulary's first.

        `default` is what a missing or null key means, `null` what only a null one means; without them absence is an error.
        So are keys that disagree.
        """
        keys = keys or BY_NAME[symbol].keys[:1]
        found = self._agreed(keys, symbol, least)
        if found is not None:
            return found
        if default is None and null is not None and any(key in self.values for key in keys):
            return null
        if default is None:
            meaning = BY_NAME[symbol].meaning.en.partition(":")[0]
            self.fail(f"missing {symbol} ({meaning}); tried {', '.join(keys)}")
        return default

    def number(self, *keys: str, default: int | None = None, least: int = 1) -> int:
        """A whole number that is no size by itself, such as the period of a pattern of layers, from the keys given."""
        found = self._agreed(keys, "", least)
        if found is not None:
            return found
        if default is None:
            self.fail(f"missing {' or '.join(keys)}")
        return default

    def _agreed(self, keys: tuple[str, ...], symbol: str, least: int) -> int | None:
        """The number under those of the keys that are there; they must not disagree."""
        self.read.update(keys)
        found = {key: self._whole(key, symbol, least) for key in keys if self.values.get(key) is not None}
        if len(set(found.values())) > 1:
            shown = " and ".join(f"{key}={value}" for key, value in found.items())
            self.fail(f"{shown} disagree{f' about {symbol}' if symbol else ''}; keep one of them")
        return next(iter(found.values()), None)

    def has(self, key: str) -> bool:
        """Whether the key is there and not null."""
        self.read.add(key)
        return self.values.get(key) is not None

    def flag(self, key: str, default: bool) -> bool:
        """A true-or-false key: `default` where it is missing; null is false, as the implementations read it."""
        self.read.add(key)
        value = self.values.get(key, default)
        if value is None:
            return False
        if not isinstance(value, bool):
            self.fail(f"{key} must be true or false, not {shown(value)}")
        return value

    def refuse(self, key: str, expected: Any, why: str) -> None:
        """Raise where `key` is set to something else than `expected`, which would change the answer."""
        self.read.add(key)
        value = self.values.get(key)
        if value is not None and value != expected:
            self.fail(f"{key}={shown(value)} is not supported: {why}")

    def _whole(self, key: str, symbol: str, least: int) -> int:
        value, called = self.values[key], f"{key} ({symbol})" if symbol else key
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(f"{called} must be a whole number, not {shown(value)}")
        if value < least:
            self.fail(f"{called} must be at least {least}, not {shown(value)}")
        if value > LARGEST_SIZE:
            self.fail(f"{called} is larger than any model: {shown(value)}")
        return value


def read_config(path: str) -> Config:
    """The configuration in a file, or in the config.json of a folder.

    Raises `ConfigError` for a file that is missing, too large, not JSON or not an object, and for a key that stands twice.
    """
    if os.path.isdir(path):
        path = os.path.join(path, "config.json")
    return parse_config(read_content(path), path)


def read_content(path: str) -> bytes:
    """The bytes of a file, one more than allowed where it is too large."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise ConfigError(f"{path}: not a regular file; pipe it in and name '-' instead")
        with open(path, "rb") as file:
            return file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def parse_config(content: bytes, source: str) -> Config:
    """The configuration in the bytes of a JSON document."""
    if len(content) > LARGEST_FILE:
        raise ConfigError(f"{source}: larger than {LARGEST_FILE // 2**20} MiB, so not a config.json")
    try:
        return config_of(strict_json(content, "a config.json"), source)
    except NotJsonError as error:
        raise ConfigError(f"{source}: {error}") from None


def config_of(values: Any, source: str) -> Config:
    """The configuration in a dictionary, however it was read."""
    if not isinstance(values, Mapping):
        raise ConfigError(f"{source}: expected a JSON object with model sizes, not {shown(values)}")
    return Config(values, source)


def shown(value: Any, most: int = 40) -> str:
    """A value as JSON writes it, cut where it is long."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**most:
        return "a number of that length"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"
