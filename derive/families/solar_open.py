"""Solar Open: GLM-4.5 blocks, all of them with experts."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, but_output, decoder_of, shared_of_one_width
from derive.families._notes import notes
from derive.families._sizes import Sizes, attention_sizes, shared_and_routed_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    config.refuse("first_k_dense_replace", 0, "the implementation has experts in every layer")
    config.refuse("use_qk_norm", False, "the implementation has no norms on queries and keys")
    return {
        "L": config.size("L"), **attention_sizes(config, explicit="Solar Open"), **shared_and_routed_sizes(config),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Solar Open: the router chooses k of E gated experts beside E_s shared ones.

    Source   Upstage 2026, the Solar Open 100B model card.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_of_one_width(s), router(s.d, s.E, correction=True))
    return decoder_of("solar_open", s, Facts(bias=but_output(config.flag("attention_bias", False)), experts=experts))


__all__ = ["model", "notes", "sizes"]
