"""params.json, as Meta's LLaMA and Mistral's releases have it.

Source   Meta's reference code: the feed-forward is 2/3 of 4d wide, times `ffn_dim_multiplier`, rounded up to `multiple_of`.
"""

from __future__ import annotations

from importlib import import_module
from math import isfinite
from typing import cast

from derive.config import Config, shown
from derive.families import Family
from derive.formats.translation import Translation, needed, translated, whole

MARKS = ("dim", "n_layers", "n_heads")
"""The keys by which the format is known."""
KEPT = (
    "dim n_layers n_heads n_kv_heads head_dim hidden_dim multiple_of ffn_dim_multiplier vocab_size moe sliding_window "
    "tied_embeddings norm_eps rope_theta use_scaled_rope rope_scale_factor use_biases max_seq_len max_seqlen max_batch_size "
    "max_position_embeddings dtype vision_encoder"
).split()


def from_meta(given: Config) -> Translation:
    """The LLaMA, Mistral or Mixtral that a params.json describes."""
    needed(given, *MARKS, "vocab_size")
    if given.values["vocab_size"] == -1:
        given.fail("vocab_size=-1 is filled in from the tokenizer when the model is loaded; set it to the tokenizer's (32000 for LLaMA 2)")
    given.refuse("use_biases", False, "the released models have no biases")
    heads, d = whole(given, "n_heads"), whole(given, "dim")
    values = {
        "hidden_size": d,
        "num_hidden_layers": whole(given, "n_layers"),
        "num_attention_heads": heads,
        "num_key_value_heads": whole(given, "n_kv_heads", heads),
        "head_dim": given.values.get("head_dim"),
        "intermediate_size": _width(given, d),
        "vocab_size": given.values["vocab_size"],
        "tie_word_embeddings": given.flag("tied_embeddings", False),
    }
    experts = given.values.get("moe")
    if experts is not None:
        values |= _experts(given, experts)
    window = given.values.get("sliding_window")
    model_type = "mixtral" if experts is not None else "llama" if window is None else "mistral"
    config = translated({"model_type": model_type, **values} | ({} if window is None else {"sliding_window": window}), given, KEPT)
    return Translation(
        config, cast(Family, import_module(f"derive.families.{model_type}")), model_type, _note(given, int(values["intermediate_size"]))
    )


def _note(given: Config, m: int) -> str:
    """What was taken for what."""
    width = "hidden_dim" if given.values.get("hidden_dim") is not None else "multiple_of"
    said = f"Read as Meta's params.json: m={m:,} follows from {width}"
    if given.values.get("tied_embeddings") is None:
        said += "; it does not say whether the head is tied, and the reference code has a matrix of its own for it"
    if given.values.get("vision_encoder") is not None:
        said += "; counted is the text model, without its vision encoder"
    return f"{said}."


def _width(given: Config, d: int) -> int:
    """m, as the reference code computes it; Mistral's files give it as `hidden_dim`."""
    if given.values.get("hidden_dim") is not None:
        return whole(given, "hidden_dim")
    needed(given, "multiple_of")
    multiple, m = whole(given, "multiple_of"), 2 * (4 * d) // 3
    factor = given.values.get("ffn_dim_multiplier")
    if factor is not None:
        if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not isfinite(factor) or not 0 < factor < 2**16:
            given.fail(f"ffn_dim_multiplier must be a positive number, not {shown(factor)}")
        m = int(factor * m)  # a product of floats there, too
    return -(-m // multiple) * multiple


def _experts(given: Config, experts: object) -> dict[str, object]:
    """Mixtral's experts."""
    if not isinstance(experts, dict) or set(experts) != {"num_experts", "num_experts_per_tok"}:
        given.fail("moe must be an object of num_experts and num_experts_per_tok")
    return {"num_local_experts": experts["num_experts"], "num_experts_per_tok": experts["num_experts_per_tok"]}
