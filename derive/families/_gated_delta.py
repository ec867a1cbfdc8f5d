"""Gated delta nets in some layers and attention in the others, as several families have them."""

from __future__ import annotations

from derive.architecture.attention import QueryKeyNorm
from derive.architecture.component import Component
from derive.architecture.context import recurrent_state
from derive.architecture.delta_net import Fused, gated_delta_net
from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.gated_attention import gated_query_attention
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._decoder import attention_bias
from derive.families._hybrid import contexts, in_layers
from derive.families._layer_kinds import ATTENTION, RECURRENT, by_rule, counts, listed, required
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes
from derive.families._stored import Repeated, prediction_layers


def mixer_sizes(config: Config, L: int, name: str) -> dict[str, int]:
    """The layers of both kinds and their sizes; every `full_attention_interval`-th has attention where no list says which."""
    kinds = listed(config, L, "layer_types")
    if config.has("full_attention_interval"):
        interval = config.number("full_attention_interval")
        kinds = kinds or by_rule(L, lambda layer: (layer + 1) % interval == 0, (ATTENTION, RECURRENT))
    kinds = required(config, kinds, "layer_types", "full_attention_interval")
    if not config.has("head_dim"):
        config.fail(f"missing d_h (head size); tried head_dim, which {name} does not derive from the hidden size")
    return {**counts(kinds), **attention_sizes(config), **(delta_sizes(config) if RECURRENT in kinds else {})}


def delta_sizes(config: Config) -> dict[str, int]:
    """Heads, head sizes and kernel of a gated delta net."""
    found = {symbol: config.size(symbol) for symbol in ("h_lk", "d_lk", "h_lv", "d_lv")}
    return {**found, "d_conv": config.size("d_conv", "linear_conv_kernel_dim")}


def shared_expert_sizes(config: Config) -> dict[str, int]:
    """Routed experts and one shared expert, with widths of their own."""
    routed = expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size")
    return {**routed, "m_s": config.size("m_s", "shared_expert_intermediate_size")}


def delta_model(name: str, s: Sizes, config: Config, *, fused: Fused) -> Model:
    """Pre-norm blocks of a gated delta net or of gated attention, each before a gated network or experts.

    `fused` says which projections of a delta net are one matrix.
    """
    recurrent = "L_rec" in s
    mixer = (delta_mixer(s, fused=fused),) if recurrent else ()
    kinds: dict[str, tuple[Component, ...]] = {"L_F": (_attention(s, config),), "L_rec": mixer}
    if "L_D" in s:
        kinds["L_D"] = (gated(s.d, s.m),)
    if "L_M" in s:
        kinds["L_M"] = _experts(s)
    block = layers(s.L, *_uniform_network(s), rms_norm(s.d, copies=2))
    return decoder(name, *in_layers(s, **kinds), block, *ends(s), *contexts(s, delta_state(s) if recurrent else None))


def delta_mixer(s: Sizes, *, fused: Fused) -> Component:
    """The gated delta net of these sizes."""
    return gated_delta_net(s.d, s.h_lk, s.d_lk, s.h_lv, s.d_lv, s.d_conv, fused=fused)


def delta_state(s: Sizes) -> Component:
    """What a gated delta net keeps of a sequence."""
    return recurrent_state(s.h_lv * s.d_lk * s.d_lv, 2 * s.h_lk * s.d_lk + s.h_lv * s.d_lv, s.d_conv)


def prediction_layer(s: Sizes, config: Config) -> Repeated:
    """One layer that predicts a further token: a block with attention, a projection, three more norms."""
    network = _experts(s) if "E" in s else (gated(s.d, s.m),)
    return prediction_layers(s, 1, _attention(s, config), *network)


def _uniform_network(s: Sizes) -> tuple[Component, ...]:
    """The network of every layer, where the layers do not differ in it."""
    if "L_D" in s or "L_M" in s:
        return ()
    return _experts(s) if "E" in s else (gated(s.d, s.m),)


def _attention(s: Sizes, config: Config) -> Component:
    return gated_query_attention(s.d, s.d_q, s.d_kv, bias=attention_bias(config), norm=QueryKeyNorm(s.d_h, s.d_h))


def _experts(s: Sizes) -> tuple[Component, ...]:
    shared = (shared_experts(gated(s.d, s.m_s), 1), shared_expert_gate(s.d))
    return routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared, router(s.d, s.E)
