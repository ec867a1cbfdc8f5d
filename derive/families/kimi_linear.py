"""Kimi Linear: delta attention, latent attention in every few layers, experts beside shared ones."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import latent_softmax_attention, recurrent_state
from derive.architecture.delta_net import delta_attention
from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._hybrid import in_layers
from derive.families._layer_kinds import ATTENTION, DENSE, EXPERTS, RECURRENT, by_rule, counts, listed, required, unused, whole_numbers
from derive.families._mamba import STATES, UNTIED
from derive.families._sizes import Sizes, ends, expert_sizes

NETWORKS = {"dense": DENSE, "sparse": EXPERTS}


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `linear_attn_config` of the released configuration counts its layers from 1.

    The head has a matrix of its own whatever `tie_word_embeddings` says, as the implementation has it.
    """
    L = config.size("L")
    config.flag("tie_word_embeddings", False)
    inner = _released(config)
    kinds, networks = _mixers(config, inner, L), _networks(config, L)
    found = {"L": L, **counts(kinds), **counts(networks), "d": config.size("d"), "h": config.size("h")}
    if ATTENTION in kinds:
        found |= {"r_q": config.size("r_q")} if config.has("q_lora_rank") else {}
        found |= {symbol: config.size(symbol) for symbol in ("r_kv", "d_n", "d_r", "d_v")}
    if RECURRENT in kinds:
        found |= {"h_lk": inner.size("h_lk", "num_heads", "linear_num_heads"), "d_lk": inner.size("d_lk", "head_dim", "linear_head_dim")}
        found |= {"d_conv": inner.size("d_conv", "short_conv_kernel_size", "linear_conv_kernel_dim")}
    found |= {"m": config.size("m")} if DENSE in networks else {}
    unused(
        config,
        "attention_bias",
        "kv_lora_rank",
        "q_lora_rank",
        "num_experts",
        "num_local_experts",
        "n_shared_experts",
        "moe_intermediate_size",
    )
    if EXPERTS in networks:
        found |= _expert_sizes(config)
    return found | {"V": config.size("V"), "c": 2}


def model(s: Sizes, config: Config) -> Model:
    """Kimi Linear: pre-norm blocks of Kimi delta attention or of latent attention, then a network or experts.

    Source   Moonshot AI 2025, arXiv:2510.26692, sections 3 and 4.
    """
    parts: dict[str, tuple[Component, ...]] = {}
    if "L_F" in s:
        rank, bias = s.r_q if "r_q" in s else None, config.flag("attention_bias", False)
        parts["L_F"] = (latent_attention(s.d, s.h, rank, s.r_kv, s.d_n, s.d_r, s.d_v, bias=bias),)
    parts |= {"L_rec": (delta_attention(s.d, s.h_lk, s.d_lk, s.d_conv),)} if "L_rec" in s else {}
    parts |= {"L_D": (gated(s.d, s.m),)} if "L_D" in s else {}
    parts |= {"L_M": _experts(s)} if "L_M" in s else {}
    return decoder("kimi_linear", *in_layers(s, **parts), layers(s.L, rms_norm(s.d, copies=2)), *ends(s), *in_layers(s, **_contexts(s)))


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and which key the implementation does not follow."""
    return (STATES, *((UNTIED,) if config.flag("tie_word_embeddings", False) else ()))


def _released(config: Config) -> Config:
    """Where the sizes of delta attention stand: in `linear_attn_config`, or beside all others."""
    if not config.has("linear_attn_config"):
        return Config({key: value for key, value in config.values.items() if key.startswith("linear_")}, config.source)
    inner = config.values["linear_attn_config"]
    if not isinstance(inner, dict):
        config.fail("linear_attn_config must be an object")
    return Config(inner, f"{config.source}: linear_attn_config")


def _mixers(config: Config, inner: Config, L: int) -> list[str]:
    kinds = listed(config, L, "layer_types")
    if kinds is None and inner.has("full_attn_layers"):
        full, delta = (whole_numbers(inner, key, L + 1) for key in ("full_attn_layers", "kda_layers"))
        if sorted((*full, *delta)) != list(range(1, L + 1)):
            config.fail(f"full_attn_layers and kda_layers must name each of the layers 1 to {L} once")
        kinds = by_rule(L, lambda layer: layer + 1 in full, (ATTENTION, RECURRENT))
    return required(config, kinds, "layer_types", "linear_attn_config")


def _networks(config: Config, L: int) -> list[str]:
    unused(config, "first_k_dense_replace")
    config.refuse("moe_layer_freq", 1, "implementations disagree on which layers then have experts")
    kinds = listed(config, L, "mlp_layer_types", words=NETWORKS)
    if kinds is None and config.has("first_k_dense_replace"):
        first = config.size("L_D", least=0)
        kinds = by_rule(L, lambda layer: layer < first, (DENSE, EXPERTS))
    return required(config, kinds, "mlp_layer_types", "first_k_dense_replace")


def _expert_sizes(config: Config) -> dict[str, int]:
    chosen = "num_experts_per_token" if config.has("num_experts_per_token") else "num_experts_per_tok"
    sizes = expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size", chosen=chosen)
    shared = config.size("E_s", "num_shared_experts", "n_shared_experts", least=1)
    return {**sizes, "E_s": shared}


def _experts(s: Sizes) -> tuple[Component, ...]:
    expert = gated(s.d, s.m_e)
    return routed_experts(expert, s.E, s.k), shared_experts(expert, s.E_s), router(s.d, s.E, correction=True)


def _contexts(s: Sizes) -> dict[str, tuple[Component, ...]]:
    found: dict[str, tuple[Component, ...]] = {}
    if "L_F" in s:
        found["L_F"] = (latent_softmax_attention(s.h, s.r_kv, s.d_n, s.d_r, s.d_v),)
    if "L_rec" in s:
        found["L_rec"] = (recurrent_state(s.h_lk * s.d_lk * s.d_lk, 3 * s.h_lk * s.d_lk, s.d_conv),)
    return found
