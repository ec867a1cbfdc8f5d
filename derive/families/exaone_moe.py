"""K-EXAONE: norms on queries and keys, dense first layers, then routed and shared experts, three of four layers sliding."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import span_sizes
from derive.families._decoder import Facts, decoder_of, per_head, shared_of_one_width
from derive.families._layer_kinds import layer_split, listed_or_dense_first
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes
from derive.families.exaone4 import pattern


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `mlp_layer_types`, else `first_k_dense_replace`, says which layers are dense."""
    L = config.size("L")
    E_s = config.size("E_s", "num_shared_experts", "n_shared_experts", least=0)
    return {
        "L": L, **layer_split(config, L, listed_or_dense_first(config, L)), **span_sizes(config, L, pattern(config)),
        **attention_sizes(config), **expert_sizes(config, "num_experts", "n_routed_experts", width="moe_intermediate_size"),
        **({"E_s": E_s} if E_s else {}), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """K-EXAONE: the router chooses k of E gated experts beside E_s shared ones.

    Source   LG AI Research 2026, the K-EXAONE model card.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_of_one_width(s), router(s.d, s.E, correction=True))
    return decoder_of("exaone_moe", s, Facts(qk_norm=per_head(s), experts=experts))


__all__ = ["model", "notes", "sizes"]
