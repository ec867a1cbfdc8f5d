"""The engine's own names (`P_attn`, `F_token`, `M_kv`) as concepts."""

from __future__ import annotations

import re
from functools import cache

from derive.checker.concepts.concept import Concept
from derive.quantities import is_spelled_like_a_quantity, quantities

_FEATURES: dict[str, tuple[str, str, frozenset[str]]] = {
    name: (thing, measure, frozenset(per.split()))
    for name, thing, measure, per in (
        ("P_tok", "embedding", "parameters", ""),
        ("P_pos", "positions", "parameters", ""),
        ("P_head", "head", "parameters", ""),
        ("P_emb", "ends", "parameters", ""),
        ("P_attn", "attention", "parameters", ""),
        ("P_ffn", "ffn", "parameters", ""),
        ("P_norm", "norm", "parameters", ""),
        ("P_final", "final norm", "parameters", ""),
        ("P_expert", "expert", "parameters", ""),
        ("P_shared", "shared", "parameters", ""),
        ("P_router", "router", "parameters", ""),
        ("P_block", "block", "parameters", "layer"),
        ("P_block_MoE", "block", "parameters", "layer"),
        ("P_block_active", "active block", "parameters", "layer"),
        ("P_total", "model", "parameters", ""),
        ("P_total_MoE", "model", "parameters", ""),
        ("P_total_mixed", "model", "parameters", ""),
        ("P_active", "active model", "parameters", ""),
        ("P_active_mixed", "active model", "parameters", ""),
        ("F_attn", "attention scores", "flops", "forward"),
        ("F_logits", "head", "flops", "forward"),
        ("F_token", "model", "flops", "forward token"),
        ("F_token_MoE", "model", "flops", "forward token"),
        ("F_prefill", "model", "flops", "forward sequence"),
        ("F_prefill_causal", "model", "flops", "forward sequence"),
        ("F_train", "model", "flops", "training"),
        ("N_kv", "cache", "elements", "token"),
        ("N_kv_mla", "cache", "elements", "token"),
        ("M_kv", "cache", "bytes", ""),
        ("M_kv_mla", "cache", "bytes", ""),
        ("M_weights", "weights", "bytes", ""),
        ("M_train", "state", "bytes", ""),
        ("A_layer", "activations", "bytes", "layer"),
        ("P_lora", "lora", "parameters", ""),
    )
}


@cache
def _by_name() -> dict[str, str]:
    return {**{name.lower(): name for name in quantities() if "_" in name}, **{name: name for name in quantities()}}


def own_concept(symbol: str) -> Concept | None:
    """The concept that the engine itself has under this name, whatever its case; None for any other name."""
    plain = re.sub(r"[,\s]+", "_", symbol)
    if not is_spelled_like_a_quantity(plain):
        return None
    known = _by_name()
    name = known.get(plain) or known.get(plain.lower())
    if name is None:
        return None
    thing, measure, per = _FEATURES.get(name, ("quantity", "", frozenset()))
    hints = frozenset({"causal"} if name.endswith("_causal") else ())
    return Concept(name, quantities()[name].meaning, thing, measure, per, hints, name, sure=True)
