"""Megatron-LM's arguments, as JSON under their names or as a command line.

Source   Megatron-LM's arguments and its core GPT model: the vocabulary is padded to `make_vocab_size_divisible_by` times the
tensor-parallel size, the feed-forward is 4d wide or 2/3 of it when gated, linear layers have biases unless disabled.
"""

from __future__ import annotations

from typing import Any, cast

from derive.config import Config, shown
from derive.families import Family
from derive.formats import decoder
from derive.formats.translation import Translation, needed, translated, whole

MARKS = ("num_layers", "hidden_size", "num_attention_heads")
REFUSED: dict[str, tuple[Any, ...]] = {
    "multi_latent_attention": (False,),
    "moe_layer_freq": (1,),
    "moe_shared_expert_intermediate_size": (0,),
    "moe_latent_size": (0,),
    "moe_router_enable_expert_bias": (False,),
    "num_moe_experts": (),
    "mtp_num_layers": (0,),
    "hybrid_override_pattern": (),
    "hybrid_layer_pattern": (),
    "hybrid_attention_ratio": (0,),
    "hybrid_mlp_ratio": (0,),
    "is_hybrid_model": (False,),
    "experimental_attention_variant": (),
    "linear_attention_freq": (),
    "attention_output_gate": (False,),
    "decoder_num_layers": (0,),
    "heterogeneous_layers_config_path": (),
    "spec": (),
}
"""Arguments that change which tensors there are and are not translated, and the values beside null under which they do not."""
POSITIONS = {"learned_absolute": True, "rope": False, "none": False, "yarn": False, "mrope": False}
"""Kinds of positions, and whether they have a table."""


def from_megatron(given: Config) -> Translation:
    """The GPT that the arguments build."""
    needed(given, *MARKS)
    _refuse(given)
    d, heads = whole(given, "hidden_size"), whole(given, "num_attention_heads")
    swiglu, bias = given.flag("swiglu", False), _linear_bias(given)
    rows, padding = _rows(given)
    values: dict[str, Any] = {
        "model_type": "megatron",
        "hidden_size": d,
        "num_hidden_layers": whole(given, "num_layers"),
        "num_attention_heads": heads,
        "num_key_value_heads": _groups(given, heads),
        "head_dim": given.values.get("kv_channels"),
        "intermediate_size": _width(given, d, swiglu),
        "vocab_size": rows,
        "tie_word_embeddings": not given.flag("untie_embeddings_and_output_weights", False),
        "mlp": "gated" if swiglu else "two_matrix", "norm": _norm(given), "mlp_bias": bias, "o_bias": bias,
        "qkv_bias": bias or given.flag("add_qkv_bias", False),
        "qk_norm": given.flag("qk_layernorm", False),
        "norms_per_layer": 2,
    }  # fmt: skip
    if values["qk_norm"] and values["norm"] == "layer":
        given.fail("qk_layernorm with LayerNorm is not translated: its shifts depend on the backend")
    values |= _positions(given) | _experts(given, bias)
    config = translated(values, given, given.values)
    return Translation(
        config, cast(Family, decoder), "megatron", f"Read as Megatron-LM's arguments: the vocabulary has {rows:,} rows, {padding}."
    )


def _refuse(given: Config) -> None:
    """Raise where an argument changes which tensors there are in a way that is not translated."""
    for key, harmless in REFUSED.items():
        value = given.values.get(key)
        if value is not None and value not in harmless:
            given.fail(f"{key}={shown(value)} is not supported: it changes which tensors there are, in ways that are not translated")
    if given.values.get("encoder_num_layers") not in (None, given.values["num_layers"]):
        given.fail("encoder_num_layers and num_layers disagree; an encoder is not translated")


def _linear_bias(given: Config) -> bool:
    """Biases of the linear layers: `add_bias_linear` in JSON, `--disable-bias-linear` as an option."""
    disabled, added = given.values.get("disable_bias_linear"), given.values.get("add_bias_linear")
    if disabled is not None and added is not None and disabled == added:
        given.fail(f"add_bias_linear={shown(added)} and disable_bias_linear={shown(disabled)} disagree; keep one of them")
    return given.flag("add_bias_linear", not given.flag("disable_bias_linear", False))


def _norm(given: Config) -> str:
    value = given.values.get("normalization", "LayerNorm")
    if value not in ("LayerNorm", "RMSNorm"):
        given.fail(f"normalization={shown(value)} is not known; known: LayerNorm, RMSNorm")
    return "rms" if value == "RMSNorm" else "layer"


def _rows(given: Config) -> tuple[int, str]:
    """Rows of the embedding, and how they come about."""
    if given.values.get("padded_vocab_size") is not None:
        return whole(given, "padded_vocab_size"), "as padded_vocab_size says"
    if given.values.get("vocab_size") is None:
        given.fail("missing vocab_size: the tokenizer decides it; give vocab_size or padded_vocab_size")
    entries, divisor, tensor = whole(given, "vocab_size"), *(
        whole(given, key, default) for key, default in (("make_vocab_size_divisible_by", 128), ("tensor_model_parallel_size", 1))
    )  # fmt: skip
    multiple = divisor * tensor
    rows = -(-entries // multiple) * multiple
    return rows, f"{entries:,} rounded up to a multiple of {divisor} × {tensor} (make_vocab_size_divisible_by × tensor_model_parallel_size)"


def _width(given: Config, d: int, swiglu: bool) -> int:
    """m: four times d; gated, two thirds of it, down to a multiple of 64."""
    return whole(given, "ffn_hidden_size", 8 * d // 3 // 64 * 64 if swiglu else 4 * d)


def _groups(given: Config, heads: int) -> int:
    """Key/value heads: as many as query heads unless group_query_attention is set."""
    groups = given.values.get("num_query_groups")
    if given.flag("group_query_attention", False):
        return whole(given, "num_query_groups", 1)
    if groups not in (None, 1, heads):
        given.fail(f"num_query_groups={shown(groups)} counts only with group_query_attention, which is not set")
    return heads


def _positions(given: Config) -> dict[str, Any]:
    """The table of learned positions, where there is one."""
    kind = given.values.get("position_embedding_type")
    rotary = given.flag("use_rotary_position_embeddings", False)
    if kind is None:
        kind = "rope" if rotary else "learned_absolute"
    if not isinstance(kind, str) or kind not in POSITIONS:
        given.fail(f"position_embedding_type={shown(kind)} is not known; known: {', '.join(POSITIONS)}")
    if given.values.get("add_position_embedding") is False or given.values.get("no_position_embedding"):
        return {}
    if not POSITIONS[kind] or rotary:
        return {}
    needed(given, "max_position_embeddings")
    return {"max_position_embeddings": whole(given, "max_position_embeddings")}


def _experts(given: Config, bias: bool) -> dict[str, Any]:
    """Experts in every layer."""
    if given.values.get("num_experts") is None:
        return {}
    if bias:
        given.fail("num_experts with biases is not translated: whether experts have them depends on the backend; disable_bias_linear")
    needed(given, "moe_router_topk")
    width = {"intermediate_size": whole(given, "moe_ffn_hidden_size")} if given.values.get("moe_ffn_hidden_size") is not None else {}
    return {"num_experts": whole(given, "num_experts"), "num_experts_per_tok": whole(given, "moe_router_topk"), **width}
