"""Mixtral: LLaMA blocks whose feed-forward is a mixture of gated experts."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import span_sizes, where_set
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    L = config.size("L")
    return {
        "L": L, **span_sizes(config, L, where_set(config)), **attention_sizes(config),
        **expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Mixtral: in every layer a router chooses k of E gated experts.

    Source   Jiang et al. 2024, arXiv:2401.04088, section 2.
    """
    return decoder_of("mixtral", s, Facts(experts=(routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))))


__all__ = ["model", "notes", "sizes"]
