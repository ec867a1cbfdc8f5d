"""The configuration that a GGUF file's metadata describes, under the names that config.json gives it.

Source   The GGUF format's standardised keys: `<architecture>.block_count` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derive.checkpoints.gguf import Skipped
from derive.checkpoints.stored import Checkpoint
from derive.config import Config

KEYS = {
    "block_count": "num_hidden_layers",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "context_length": "max_position_embeddings",
    "attention.sliding_window": "sliding_window",
    "vocab_size": "vocab_size",
    "expert_count": "num_experts",
    "expert_used_count": "num_experts_per_tok",
    "expert_feed_forward_length": "moe_intermediate_size",
    "expert_shared_count": "n_shared_experts",
    "leading_dense_block_count": "first_k_dense_replace",
    "attention.q_lora_rank": "q_lora_rank",
    "attention.kv_lora_rank": "kv_lora_rank",
    "rope.dimension_count": "qk_rope_head_dim",
    "nextn_predict_layers": "num_nextn_predict_layers",
}
"""What stands after the architecture's name, and the key of config.json that says the same."""

ARCHITECTURES = {
    "llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "qwen3moe": "qwen3_moe",
    "gemma": "gemma", "gemma2": "gemma2", "gemma3": "gemma3_text",
    "gpt2": "gpt2", "gpt-oss": "gpt_oss", "mistral": "mistral", "deepseek2": "deepseek_v3", "phi3": "phi3", "starcoder2": "starcoder2",
    "olmo": "olmo", "olmo2": "olmo2", "olmoe": "olmoe", "stablelm": "stablelm", "gptneox": "gpt_neox", "bloom": "bloom",
    "command-r": "cohere",
    "granite": "granite", "arcee": "arcee", "smollm3": "smollm3", "qwen2moe": "qwen2_moe", "granitemoe": "granitemoe",
}  # fmt: skip
"""GGUF's architectures and the model types with the same tensors. A type without a family is refused where it is counted."""

_LLAMA_BIASES = {"attention_bias": "attn_q.bias", "mlp_bias": "ffn_up.bias"}
FLAGS: Mapping[str, Mapping[str, str]] = {
    "llama": _LLAMA_BIASES, "granite": _LLAMA_BIASES, "arcee": _LLAMA_BIASES, "smollm3": _LLAMA_BIASES,
    "qwen3": {"attention_bias": "attn_q.bias"}, "qwen3_moe": {"attention_bias": "attn_q.bias"},
    "stablelm": {"use_qkv_bias": "attn_q.bias", "qk_layernorm": "attn_q_norm.weight"},
    "cohere": {"attention_bias": "attn_q.bias", "use_qk_norm": "attn_q_norm.weight"},
}  # fmt: skip
"""Flags of config.json that the metadata does not tell, and the tensor of a block that does."""

LATENT = ("q_lora_rank", "kv_lora_rank", "qk_rope_head_dim", "n_shared_experts", "first_k_dense_replace")
"""Keys that only DeepSeek's latent attention reads."""


def gguf_config(checkpoint: Checkpoint) -> Config | None:
    """The configuration in the metadata; None where it names no architecture that is known here."""
    metadata = checkpoint.metadata
    architecture = metadata.get("general.architecture")
    model_type = ARCHITECTURES.get(architecture) if isinstance(architecture, str) else None
    if model_type is None:
        return None
    values: dict[str, Any] = {"model_type": _variant(model_type, architecture, metadata)}
    for key, ours in KEYS.items():
        value = metadata.get(f"{architecture}.{key}")
        if value is not None:
            values[ours] = _uniform(value)
    values |= _vocabulary(metadata, values)
    values["tie_word_embeddings"] = "output.weight" not in checkpoint.names
    return Config(_adapted(values, checkpoint, metadata, str(architecture)), f"{checkpoint.path} (metadata)")


def _variant(model_type: str, architecture: Any, metadata: Mapping[str, Any]) -> str:
    """Mixtral has LLaMA's architecture in GGUF, and experts."""
    return "mixtral" if model_type == "llama" and metadata.get(f"{architecture}.expert_count") else model_type


def _uniform(value: Any) -> Any:
    """One number for all layers, where an array says the same of each."""
    if isinstance(value, tuple) and value and len(set(value)) == 1:
        return value[0]
    return list(value) if isinstance(value, tuple) else value


def _vocabulary(metadata: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The vocabulary's size, which some files tell by their list of tokens only."""
    tokens = metadata.get("tokenizer.ggml.tokens")
    if "vocab_size" in values or tokens is None:
        return {}
    return {"vocab_size": int(tokens) if isinstance(tokens, Skipped) else len(tokens)}


def _adapted(values: dict[str, Any], checkpoint: Checkpoint, metadata: Mapping[str, Any], architecture: str) -> dict[str, Any]:
    """The values as the family reads them."""
    names, model_type = checkpoint.names, values["model_type"]
    if model_type == "deepseek_v3":
        return _latent(values, names, metadata, architecture)
    for key in LATENT:
        values.pop(key, None)
    if model_type == "gpt2":
        return {"model_type": "gpt2", "tie_word_embeddings": values["tie_word_embeddings"]} | {
            theirs: values[ours]
            for theirs, ours in (
                ("n_layer", "num_hidden_layers"), ("n_embd", "hidden_size"), ("n_head", "num_attention_heads"),
                ("n_positions", "max_position_embeddings"), ("n_inner", "intermediate_size"), ("vocab_size", "vocab_size"),
            )
            if ours in values
        }  # fmt: skip
    values |= {flag: f"blk.0.{tensor}" in names for flag, tensor in FLAGS.get(model_type, {}).items()}
    if model_type == "stablelm":
        values["use_parallel_residual"] = "blk.0.ffn_norm.weight" not in names
    if model_type == "gpt_oss":
        values["intermediate_size"] = values.pop("moe_intermediate_size", values.get("intermediate_size"))
    return values


def _latent(values: dict[str, Any], names: tuple[str, ...], metadata: Mapping[str, Any], architecture: str) -> dict[str, Any]:
    """Latent attention: the lengths of a head's parts, of which GGUF gives sums."""
    key, value = (
        metadata.get(f"{architecture}.attention.{which}_length_mla", metadata.get(f"{architecture}.attention.{which}_length"))
        for which in ("key", "value")
    )
    rotary = values.get("qk_rope_head_dim")
    if isinstance(key, int) and isinstance(rotary, int):
        values["qk_nope_head_dim"] = key - rotary
    values["v_head_dim"] = value
    values["n_routed_experts"] = values.pop("num_experts", None)
    values.setdefault("q_lora_rank", None)
    values.setdefault("n_shared_experts", None)
    values["num_key_value_heads"] = values.get("num_attention_heads")
    values.pop("head_dim", None)
    extra = values.pop("num_nextn_predict_layers", 0)
    if isinstance(extra, int) and extra and isinstance(values.get("num_hidden_layers"), int):
        values["num_hidden_layers"] -= extra
    values["topk_method"] = "noaux_tc" if any(".exp_probs_b" in name for name in names) else "greedy"
    return {name: each for name, each in values.items() if each is not None or name in ("q_lora_rank", "n_shared_experts")}
