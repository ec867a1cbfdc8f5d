"""GLM-4.5: dense first layers, then routed and shared experts; grouped-query attention, with norms on queries and keys in some."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._decoder import Facts, but_output, decoder_of, per_head, shared_of_one_width
from derive.families._layers import dense_first, layer_split
from derive.families._sizes import Sizes, attention_sizes, shared_and_routed_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the first `first_k_dense_replace` layers are dense, and a head size that is missing is d/h rounded down."""
    L = config.size("L")
    return {
        "L": L, **layer_split(config, L, dense_first(config, L)), **attention_sizes(config, rounded=True),
        **shared_and_routed_sizes(config), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GLM-4.5: the router chooses k of E gated experts beside E_s shared ones.

    Source   GLM-4.5 2025, arXiv:2508.06471, section 2.1.
    """
    norm = per_head(s) if config.flag("use_qk_norm", False) else None
    bias = but_output(config.flag("attention_bias", False))
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_of_one_width(s), router(s.d, s.E, correction=True))
    return decoder_of("glm4_moe", s, Facts(bias=bias, qk_norm=norm, experts=experts))


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    numbers = model(Sizes(sizes(config)), config)
    extra = _notes.uncounted_prediction(config, "num_nextn_predict_layers", "num_mtp_layers")
    return (*_notes.notes(config), *extra, *_notes.unknown_choice(config), *_notes.block_scales(config, numbers))
