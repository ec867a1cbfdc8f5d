"""What the families with DeepSeek's latent attention and experts share: sizes, parts, and the layers that predict further tokens."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import latent_softmax_attention
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Layers, layers
from derive.config import Config
from derive.families import _notes
from derive.families._decoder import shared_as_one
from derive.families._layer_kinds import dense_first
from derive.families._sizes import Sizes, shared_and_routed_sizes, vocabulary_sizes
from derive.families._stored import Repeated, prediction_layers

_PREDICTION_KEYS = ("num_nextn_predict_layers", "num_mtp_layers")


def latent_sizes(config: Config, sparse: int | None = None, *, direct: bool = False) -> dict[str, int]:
    """The sizes by symbol: L_M of the L layers have experts (`sparse`, else all but the first ones), the other L_D are dense.

    Queries are not compressed where `q_lora_rank` is null, and with `direct` not where it is missing either.
    """
    config.refuse("moe_layer_freq", 1, "implementations disagree on which layers then have experts")
    L, h = config.size("L"), config.size("h")
    L_M = dense_first(config, L) if sparse is None else sparse
    return {
        "L": L, "L_D": L - L_M, "L_M": L_M, "d": config.size("d"), "h": h, **projection_sizes(config, direct=direct),
        "m": config.size("m"), **shared_and_routed_sizes(config), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def projection_sizes(config: Config, *, direct: bool = False) -> dict[str, int]:
    """The ranks and the parts of a head of latent attention; no r_q where the queries are not compressed."""
    r_q = config.size("r_q", null=0, default=0 if direct else None)
    return {**({"r_q": r_q} if r_q else {}), **{symbol: config.size(symbol) for symbol in ("r_kv", "d_n", "d_r", "d_v")}}


def attention_of(s: Sizes, config: Config) -> Component:
    """Latent attention, its queries compressed where there is a rank r_q."""
    rank = s.r_q if "r_q" in s else None
    return latent_attention(s.d, s.h, rank, s.r_kv, s.d_n, s.d_r, s.d_v, bias=config.flag("attention_bias", False))


def experts_of(s: Sizes, *, correction: bool, bias: bool = False) -> tuple[Component, ...]:
    """Routed experts, the shared ones, which alone may have biases, and the router."""
    return routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared_as_one(s, bias=bias), router(s.d, s.E, correction=correction)


def context_of(s: Sizes) -> tuple[Layers, ...]:
    """Latent softmax attention in every layer."""
    return (layers(s.L, latent_softmax_attention(s.h, s.r_kv, s.d_n, s.d_r, s.d_v)),)


def model_notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out: layers that predict further tokens, and scales."""
    return (*_notes.uncounted_prediction(config, *_PREDICTION_KEYS), *_notes.quantised(config))


def prediction_of(s: Sizes, config: Config, block: tuple[Component, ...], *, copies: bool = True) -> Repeated:
    """The layers that predict further tokens, each with a `block` of its own; with `copies` they store embedding and head again."""
    extra = config.number(*_PREDICTION_KEYS, default=0, least=0)
    return prediction_layers(s, extra, *block, copies=copies)
