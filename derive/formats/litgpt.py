"""litgpt's configuration, as its Python dictionaries have it (its model_config.yaml in JSON).

Source   litgpt's Config and GPT: one fused q/k/v projection, a head that is never tied, padded vocabulary.
"""

from __future__ import annotations

from typing import Any, cast

from derive.config import Config, shown
from derive.families import Family
from derive.formats import decoder
from derive.formats.translation import Translation, needed, translated, whole

MARKS = ("n_embd", "n_layer", "n_head")
ANY_OF = ("mlp_class_name", "norm_class_name", "padded_vocab_size", "padding_multiple", "rotary_percentage", "parallel_residual")
"""GPT-2 and nanoGPT have the first three keys too; one of these makes it litgpt's."""
MLPS = {"GptNeoxMLP": "two_matrix", "LLaMAMLP": "gated", "GemmaMLP": "gated", "LLaMAMoE": "gated"}
NORMS = {"LayerNorm": "layer", "RMSNorm": "rms"}
KEPT = (
    "name hf_config block_size n_layer n_embd vocab_size padding_multiple padded_vocab_size norm_class_name norm_eps norm_qk "
    "norm_qk_type post_attention_norm post_mlp_norm parallel_residual shared_attention_norm n_head head_size n_query_groups "
    "attn_bias attention_scores_scalar sliding_window_size sliding_window_indices attention_logit_softcapping rope_base "
    "rotary_percentage rope_condense_ratio rope_adjustments intermediate_size moe_intermediate_size bias mlp_class_name "
    "gelu_approximate n_expert n_expert_per_token scale_embeddings lm_head_bias final_logit_softcapping norm_1 norm_2 "
    "rope_local_base_freq rope_indices rope_interleave norm_topk_prob"
).split()


def from_litgpt(given: Config) -> Translation:
    """The decoder that litgpt builds; keys whose default is not the same in all of its models must be there."""
    needed(given, *MARKS, "mlp_class_name", "norm_class_name", "bias")
    name = given.values.get("name") or ""
    if "OLMo" in str(name) and given.values["norm_class_name"] == "LayerNorm":
        given.fail("litgpt gives OLMo's LayerNorm no parameters; count the model by its config.json")
    d, heads = whole(given, "n_embd"), whole(given, "n_head")
    mlp, norm = _one_of(given, "mlp_class_name", MLPS), _one_of(given, "norm_class_name", NORMS)
    bias = given.flag("bias", True)
    values: dict[str, Any] = {
        "model_type": "litgpt",
        "hidden_size": d,
        "num_hidden_layers": whole(given, "n_layer"),
        "num_attention_heads": heads,
        "num_key_value_heads": whole(given, "n_query_groups", heads),
        "head_dim": given.values.get("head_size"),
        "vocab_size": _rows(given),
        "tie_word_embeddings": False,
        "intermediate_size": _width(given, d),
        "mlp": mlp, "norm": norm, "mlp_bias": bias, "o_bias": bias,
        "qkv_bias": bias or given.flag("attn_bias", False),
        "head_bias": given.flag("lm_head_bias", False),
        "qk_norm": given.flag("norm_qk", False),
        "qk_norm_all_heads": given.values.get("norm_qk_type", "default") == "olmo2",
        "norms_per_layer": _norms(given),
    }  # fmt: skip
    if values["qk_norm"] and norm == "layer":
        given.fail("norm_qk with LayerNorm is in none of litgpt's models, and not known here")
    values |= _window(given) | _experts(given)
    config = translated(values, given, KEPT)
    note = f"Read as litgpt's configuration: embedding and head have {values['vocab_size']:,} rows, padding included, and are not tied."
    return Translation(config, cast(Family, decoder), "litgpt", note)


def _one_of(given: Config, key: str, known: dict[str, str]) -> str:
    value = given.values[key]
    if not isinstance(value, str) or value not in known:
        given.fail(f"{key}={shown(value)} is not known; known: {', '.join(known)}")
    return known[value]


def _rows(given: Config) -> int:
    """The padded vocabulary: as given, or rounded up."""
    if given.values.get("padded_vocab_size") is not None:
        return whole(given, "padded_vocab_size")
    needed(given, "vocab_size", "padding_multiple")
    multiple = whole(given, "padding_multiple")
    return -(-whole(given, "vocab_size") // multiple) * multiple


def _width(given: Config, d: int) -> int:
    experts = given.values["mlp_class_name"] == "LLaMAMoE"
    if experts and given.values.get("moe_intermediate_size") is not None:
        return whole(given, "moe_intermediate_size")
    if given.values["mlp_class_name"] == "GptNeoxMLP":
        return whole(given, "intermediate_size", 4 * d)
    needed(given, "intermediate_size")
    return whole(given, "intermediate_size")


def _norms(given: Config) -> int:
    """Norms of a layer: before attention, before the feed-forward unless it shares the first, and after each where asked."""
    shared = given.flag("shared_attention_norm", False)
    if shared and not given.flag("parallel_residual", True):
        given.fail("shared_attention_norm needs parallel_residual")
    second = given.flag("norm_2", True) and not shared
    return sum((given.flag("norm_1", True), second, given.flag("post_attention_norm", False), given.flag("post_mlp_norm", False)))


def _window(given: Config) -> dict[str, Any]:
    """The layers that look through a window."""
    window, layers = given.values.get("sliding_window_size"), given.values.get("sliding_window_indices")
    if window is None:
        return {}
    L = whole(given, "n_layer")
    if layers is not None and (not isinstance(layers, list) or len(layers) != L):
        given.fail(f"sliding_window_indices must be a list of {L} numbers, one for each layer")
    return {"sliding_window": whole(given, "sliding_window_size"), "sliding_layers": [bool(each) for each in layers or [1] * L]}


def _experts(given: Config) -> dict[str, Any]:
    if given.values["mlp_class_name"] != "LLaMAMoE":
        given.refuse("n_expert", 0, "only LLaMAMoE has experts")
        return {}
    return {"num_experts": whole(given, "n_expert"), "num_experts_per_tok": whole(given, "n_expert_per_token")}
