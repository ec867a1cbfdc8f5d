"""GLM-4.5: dense first layers, then routed and shared experts; grouped-query attention, with norms on queries and keys in some."""

from __future__ import annotations

from derive.architecture.attention import grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, but_output, decoder_of, per_head
from derive.families._deepseek import experts_of, model_notes, prediction_of
from derive.families._layer_kinds import dense_first, layer_split
from derive.families._notes import ROTARY, unknown_choice
from derive.families._sizes import Sizes, attention_sizes, shared_and_routed_sizes, vocabulary_sizes
from derive.families._stored import Repeated


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
    attention, *experts = _block(s, config)
    return decoder_of("glm4_moe", s, Facts(attention=(attention,), experts=tuple(experts)))


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out: the layers that predict further tokens, and quantisation scales."""
    return (ROTARY, *unknown_choice(config), *model_notes(config))


def prediction(s: Sizes, config: Config) -> Repeated:
    """The layers that predict further tokens."""
    return prediction_of(s, config, _block(s, config))


def _block(s: Sizes, config: Config) -> tuple[Component, ...]:
    """Attention and experts of a layer that has experts."""
    norm = per_head(s) if config.flag("use_qk_norm", False) else None
    bias = but_output(config.flag("attention_bias", False))
    return grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias, norm=norm), *experts_of(s, correction=True)
