"""Hunyuan, its mixtures of experts: norms on queries and keys, in every layer routed experts and a shared one as wide."""

from __future__ import annotations

from typing import Any

from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a list that says the same for every layer is read as that number."""
    L = config.size("L")
    config.refuse("use_qk_norm", True, "the family has norms on queries and keys")
    flat = Config({**config.values, **{key: _same(config, key, L) for key in _LISTS if config.has(key)}}, config.source, config.read)
    m_e = flat.size("m", "intermediate_size")
    flat.refuse("moe_intermediate_size", m_e, "the experts are intermediate_size wide")
    flat.refuse("num_shared_expert", 1, "there is one shared expert")
    return {
        "L": L, **attention_sizes(config, all_heads=True),
        **expert_sizes(flat, "num_experts", "num_local_experts", width="intermediate_size", chosen="moe_topk"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Hunyuan-A13B: the router chooses k of E gated experts; every token also passes through the shared one.

    Source   Tencent 2025, Hunyuan-A13B Technical Report, section 2; Hunyuan-Large 2024, arXiv:2411.02265, section 2.1.
    """
    expert = gated(s.d, s.m_e)
    experts = (routed_experts(expert, s.E, s.k), shared_experts(expert, 1), router(s.d, s.E))
    facts = Facts(bias=attention_bias(config), qk_norm=per_head(s), experts=experts)
    return decoder_of("hunyuan_v1_moe", s, facts)


_LISTS = ("num_experts", "num_local_experts", "moe_topk", "moe_intermediate_size", "num_shared_expert")


def _same(config: Config, key: str, L: int) -> Any:
    """The number in a list that repeats it for every layer; anything else as it stands."""
    value = config.values[key]
    if not isinstance(value, list):
        return value
    if len(value) != L or any(each != value[0] for each in value):
        config.fail(f"{key} must be one number, or {L} equal numbers, one for each layer")
    return value[0]


__all__ = ["model", "notes", "sizes"]
