"""Qwen3-Next: gated delta nets, gated attention in every few layers, and experts beside a shared one."""

from __future__ import annotations

from derive.architecture.attention import QueryKeyNorm
from derive.architecture.component import Component
from derive.architecture.context import recurrent_state
from derive.architecture.delta_net import gated_delta_net
from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.gated_attention import gated_query_attention
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.costs import over
from derive.costs.parameters import parameters
from derive.families._hybrid import attention_bias, contexts, in_layers
from derive.families._layer_kinds import ATTENTION, DENSE, EXPERTS, RECURRENT, by_rule, counts, listed, required, sparse_layers, unused
from derive.families._mamba import STATES
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `full_attention_interval`-th layer has attention, where no list says so layer by layer."""
    L = config.size("L")
    kinds, networks = _kinds(config, L), sparse_layers(config, L)
    if not config.size("E", "num_experts", "num_local_experts", least=0):
        networks = [DENSE] * L
    if not config.has("head_dim"):
        config.fail("missing d_h (head size); tried head_dim, which Qwen3-Next does not derive from the hidden size")
    found = {"L": L, **counts(kinds), **counts(networks), **attention_sizes(config)}
    if RECURRENT in kinds:
        found |= {symbol: config.size(symbol) for symbol in ("h_lk", "d_lk", "h_lv", "d_lv")}
        found |= {"d_conv": config.size("d_conv", "linear_conv_kernel_dim")}
    found |= {"m": config.size("m")} if DENSE in networks else {}
    unused(config, "moe_intermediate_size", "shared_expert_intermediate_size")
    if EXPERTS in networks:
        found |= expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size")
        found |= {"m_s": config.size("m_s", "shared_expert_intermediate_size")}
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """Qwen3-Next: pre-norm blocks of a gated delta net or of gated attention, each before experts.

    Source   Qwen3-Next 2025, as built in transformers; gated delta net: arXiv:2412.06464; gated attention: arXiv:2505.06708.
    """
    recurrent = "L_rec" in s
    mixer = (gated_delta_net(s.d, s.h_lk, s.d_lk, s.h_lv, s.d_lv, s.d_conv),) if recurrent else ()
    return decoder(
        "qwen3_next",
        *in_layers(s, L_F=(_attention(s, config),)),
        *in_layers(s, L_rec=mixer),
        *in_layers(s, L_D=(gated(s.d, s.m),) if "L_D" in s else ()),
        *in_layers(s, L_M=_experts(s) if "L_M" in s else ()),
        layers(s.L, rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, _state(s) if recurrent else None),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and what released checkpoints store beside the model."""
    s = Sizes(sizes(config))
    extra = f" ({_prediction_layer(s, config):,} parameters)" if "L_M" in s else ""
    return (STATES, f"A layer that predicts a further token, which released checkpoints store{extra}, is not part of the model.")


def _kinds(config: Config, L: int) -> list[str]:
    kinds = listed(config, L, "layer_types")
    if config.has("full_attention_interval"):
        interval = config.size("L", "full_attention_interval")
        kinds = kinds or by_rule(L, lambda layer: (layer + 1) % interval == 0, (ATTENTION, RECURRENT))
    return required(config, kinds, "layer_types", "full_attention_interval")


def _attention(s: Sizes, config: Config) -> Component:
    return gated_query_attention(s.d, s.d_q, s.d_kv, bias=attention_bias(config), norm=QueryKeyNorm(s.d_h, s.d_h))


def _experts(s: Sizes) -> tuple[Component, ...]:
    shared = (shared_experts(gated(s.d, s.m_s), 1), shared_expert_gate(s.d))
    return routed_experts(gated(s.d, s.m_e), s.E, s.k), *shared, router(s.d, s.E)


def _state(s: Sizes) -> Component:
    return recurrent_state(s.h_lv * s.d_lk * s.d_lv, 2 * s.h_lk * s.d_lk + s.h_lv * s.d_lv, s.d_conv)


def _prediction_layer(s: Sizes, config: Config) -> int:
    """Parameters of one multi-token prediction layer: a block with attention and experts, a projection, three more norms."""
    projection = Component("projection", "P_proj", (matrix("W_proj", 2 * s.d, s.d),))
    block = decoder("", _attention(s, config), *_experts(s), projection, rms_norm(s.d, copies=5))
    return int(over(block, parameters))  # type: ignore[arg-type]
