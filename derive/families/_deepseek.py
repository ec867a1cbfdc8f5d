"""What the families with DeepSeek's latent attention and experts share: sizes, parts, and the layers that predict further tokens."""

from __future__ import annotations

from typing import TypeAlias

from derive.architecture.component import Component
from derive.architecture.context import latent_softmax_attention
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Layers, Model, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.costs import Cost, whole
from derive.costs.parameters import buffers, parameters
from derive.families import _notes
from derive.families._decoder import shared_as_one
from derive.families._layer_kinds import dense_first
from derive.families._sizes import Sizes, shared_and_routed_sizes, vocabulary_sizes
from derive.formula.tree import Dim

Repeated: TypeAlias = tuple[tuple[Dim, Component], ...]
"""Components with the number of layers that each stands in."""


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


def model_notes(config: Config, s: Sizes, model: Model, block: tuple[Component, ...]) -> tuple[str, ...]:
    """What the count of a `model` leaves out: layers that predict further tokens, each with a `block` of its own, and scales."""
    extra = config.size("L", "num_nextn_predict_layers", "num_mtp_layers", default=0, least=0)
    further = tuple((extra, part) for part in _prediction_layer(s, block)) if extra else ()
    scales = _notes.scale_count(config, (*model.components, *further))
    found = _notes.quantised(config)
    if extra:
        found = (
            f"num_nextn_predict_layers={extra}: multi-token prediction is not part of the model; "
            f"it would add {_summed(further, parameters):,} parameters besides second copies of the embedding and the head.",
            *found,
        )
    return (*found, _everything(s, model, extra, further, scales)) if extra or scales else found


def _everything(s: Sizes, model: Model, extra: int, further: Repeated, scales: int) -> str:
    """What a checkpoint holds that stores everything, item by item."""
    parts = tuple(model.components)
    items = (
        (_summed(parts, parameters), "parameters"),
        (_summed((*parts, *further), buffers), "of the routing correction"),
        (_summed(further, parameters), "of the prediction layers"),
        (extra * 2 * whole(s.V * s.d), "of their copies of embedding and head"),
        (scales, "scales of quantised blocks"),
    )
    named = ", ".join(f"{size:,} {what}" for size, what in items if size)
    return f"A checkpoint that stores all of it holds {sum(size for size, _ in items):,} elements: {named}."


def _summed(parts: Repeated, cost: Cost) -> int:
    return sum(whole(layers * cost(part)) for layers, part in parts)


def _prediction_layer(s: Sizes, block: tuple[Component, ...]) -> tuple[Component, ...]:
    """What nothing else shares: a block with experts, the projection of the token and the state before, and its norms."""
    projection = Component("projection", "P_proj", (matrix("W_proj", 2 * s.d, s.d),))
    return (*block, rms_norm(s.d, copies=5), projection)
