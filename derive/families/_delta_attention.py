"""Delta attention in some layers and latent attention in the others, before networks or experts."""

from __future__ import annotations

from collections.abc import Iterator

from derive.architecture.component import Component
from derive.architecture.context import latent_softmax_attention, recurrent_state
from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Layers
from derive.config import Config
from derive.families._hybrid import in_layers
from derive.families._layer_kinds import ATTENTION, DENSE, DENSE_OR_SPARSE, EXPERTS, by_rule, listed, required, unused
from derive.families._sizes import Sizes, expert_sizes


def latent_sizes(config: Config, kinds: list[str]) -> dict[str, int]:
    """The ranks and head sizes of latent attention, where there is any."""
    unused(config, "attention_bias", "kv_lora_rank", "q_lora_rank")
    if ATTENTION not in kinds:
        return {}
    queries = {"r_q": config.size("r_q")} if config.has("q_lora_rank") else {}
    return queries | {symbol: config.size(symbol) for symbol in ("r_kv", "d_n", "d_r", "d_v")}


def networks(config: Config, L: int) -> list[str]:
    """Dense networks and experts, as a list says or but for the first `first_k_dense_replace` layers."""
    unused(config, "first_k_dense_replace")
    config.refuse("moe_layer_freq", 1, "implementations disagree on which layers then have experts")
    kinds = listed(config, L, "mlp_layer_types", words=DENSE_OR_SPARSE)
    if kinds is None and config.has("first_k_dense_replace"):
        first = config.size("L_D", least=0)
        kinds = by_rule(L, lambda layer: layer < first, (DENSE, EXPERTS))
    return required(config, kinds, "mlp_layer_types", "first_k_dense_replace")


def network_sizes(config: Config, kinds: list[str]) -> dict[str, int]:
    """The widths of networks and experts, of those that there are."""
    unused(config, "num_experts", "num_local_experts", "n_shared_experts", "moe_intermediate_size")
    found = {"m": config.size("m")} if DENSE in kinds else {}
    if EXPERTS in kinds:
        chosen = "num_experts_per_token" if config.has("num_experts_per_token") else "num_experts_per_tok"
        found |= expert_sizes(config, "num_experts", "num_local_experts", width="moe_intermediate_size", chosen=chosen)
        found |= {"E_s": config.size("E_s", "num_shared_experts", "n_shared_experts")}
    return found


def latent_mixer(s: Sizes, config: Config) -> tuple[Component, ...]:
    """Latent attention of these sizes, where there is any."""
    if "L_F" not in s:
        return ()
    rank, bias = s.r_q if "r_q" in s else None, config.flag("attention_bias", False)
    return (latent_attention(s.d, s.h, rank, s.r_kv, s.d_n, s.d_r, s.d_v, bias=bias),)


def network_layers(s: Sizes) -> Iterator[Layers]:
    """Gated networks, and experts beside shared ones with a balance that no gradient moves, each in its layers."""
    yield from in_layers(s, L_D=(gated(s.d, s.m),) if "L_D" in s else ())
    if "L_M" in s:
        expert = gated(s.d, s.m_e)
        yield from in_layers(s, L_M=(routed_experts(expert, s.E, s.k), shared_experts(expert, s.E_s), router(s.d, s.E, correction=True)))


def delta_contexts(s: Sizes) -> Iterator[Layers]:
    """What tokens share: latent softmax attention, and the state of delta attention."""
    if "L_F" in s:
        yield from in_layers(s, L_F=(latent_softmax_attention(s.h, s.r_kv, s.d_n, s.d_r, s.d_v),))
    if "L_rec" in s:
        yield from in_layers(s, L_rec=(recurrent_state(s.h_lk * s.d_lk * s.d_lk, 3 * s.h_lk * s.d_lk, s.d_conv),))
