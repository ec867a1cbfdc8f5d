"""Megatron-LM's arguments as a command line, or a script that holds one: `--num-layers 32 --hidden-size 4096 …`."""

from __future__ import annotations

import re
import shlex
from typing import Any

from derive.config import Config
from derive.errors import ConfigError

LARGEST_TEXT = 2**17
_MARK = re.compile(r"(?:^|[\s('\"])--num[-_]layers\b")
_SIZES = frozenset(
    """
    num_layers hidden_size ffn_hidden_size num_attention_heads num_query_groups kv_channels max_position_embeddings vocab_size
    padded_vocab_size make_vocab_size_divisible_by tensor_model_parallel_size num_experts moe_router_topk moe_ffn_hidden_size
    moe_shared_expert_intermediate_size moe_latent_size mtp_num_layers encoder_num_layers decoder_num_layers
    """.split()
)
_WORDS = frozenset(
    """
    normalization position_embedding_type moe_layer_freq hybrid_override_pattern hybrid_layer_pattern hybrid_attention_ratio
    hybrid_mlp_ratio spec heterogeneous_layers_config_path experimental_attention_variant linear_attention_freq
    """.split()
)
_FLAGS = frozenset(
    """
    swiglu group_query_attention disable_bias_linear add_qkv_bias untie_embeddings_and_output_weights use_rotary_position_embeddings
    no_position_embedding qk_layernorm multi_latent_attention moe_router_enable_expert_bias attention_output_gate
    is_hybrid_model
    """.split()
)


def are_arguments(text: str) -> bool:
    """Whether a text is Megatron-LM's arguments, or a script that holds them."""
    return not text.lstrip().startswith(("{", "[")) and _MARK.search(text[:LARGEST_TEXT]) is not None


def config_of_arguments(text: str, source: str) -> Config:
    """The arguments by name; options that do not change the count are left out."""
    if len(text) > LARGEST_TEXT:
        raise ConfigError(f"{source}: longer than {LARGEST_TEXT:,} characters, so not a command line")
    try:
        words = shlex.split(text.replace("\\\n", " "), comments=True)
    except ValueError as error:
        raise ConfigError(f"{source}: not a command line: {error}") from None
    values: dict[str, Any] = {}
    for at, word in enumerate(words):
        if not word.startswith("--"):
            continue
        option, equals, given = word[2:].partition("=")
        name = option.replace("-", "_")
        following = words[at + 1] if at + 1 < len(words) and not words[at + 1].startswith("--") else ""
        value = _value(name, given if equals else following, source)
        if value is None:
            continue
        if values.get(name, value) != value:
            raise ConfigError(f"{source}: --{option} stands twice, with different values")
        values[name] = value
    return Config(values, source)


def _value(name: str, text: str, source: str) -> Any:
    """The value of an option that matters; None for the others."""
    if name in _FLAGS:
        return True
    if name in _WORDS:
        word = text.strip(")")
        return int(word) if word.isascii() and word.isdecimal() and len(word) < 5 else word or True
    if name not in _SIZES:
        return None
    digits = text.strip(")")
    if not digits.isdecimal() or not digits.isascii() or len(digits) > 18:
        raise ConfigError(f"{source}: --{name.replace('_', '-')} must be a number, not '{text[:40]}'; put the number in for a variable")
    return int(digits)
