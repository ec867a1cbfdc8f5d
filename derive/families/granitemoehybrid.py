"""Granite 4: Mamba-2 layers, with attention in some; experts beside a shared network, or that network alone."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._decoder import attention_bias
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import RECURRENT, counts, layer_count, listed, required
from derive.families._mamba2 import duality_state, hybrid_mixer, hybrid_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies
from derive.families.mamba import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `shared_intermediate_size` is the width of the shared network, `intermediate_size` of one expert.

    A null `layer_types` means Mamba-2 layers only. Without experts the shared network is an ordinary one.
    """
    L = layer_count(config)
    kinds = listed(config, L, "layer_types", "layers_block_type")
    if kinds is None and "layer_types" in config.values:
        kinds = [RECURRENT] * L
    kinds = required(config, kinds, "layer_types", "layers_block_type")
    found = {"L": L, **counts(kinds), **attention_sizes(config)}
    found |= hybrid_sizes(config, found["d"]) if RECURRENT in kinds else {}
    if config.size("E", "num_local_experts", least=0):
        found |= expert_sizes(config, "num_local_experts", width="intermediate_size")
        found |= {"m_s": config.size("m_s", "shared_intermediate_size")}
    else:
        found |= {"m": config.size("m", "shared_intermediate_size")}
    return found | {"V": config.size("V"), "c": stored_copies(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """Granite 4: pre-norm blocks of attention or of a Mamba-2 layer; every token passes the shared network.

    Source   IBM Granite 4.0 2025, as built in transformers; its Mamba-2 layers: arXiv:2405.21060, section 7.
    """
    recurrent = "L_rec" in s
    return decoder(
        "granitemoehybrid",
        *in_layers(s, L_F=(attention(s, bias=attention_bias(config)),)),
        *in_layers(s, L_rec=(hybrid_mixer(s, config),) if recurrent else ()),
        layers(s.L, *_networks(s), rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, duality_state(s) if recurrent else None),
    )


def _networks(s: Sizes) -> tuple[Component, ...]:
    if "E" not in s:
        return (gated(s.d, s.m),)
    return routed_experts(gated(s.d, s.m_e), s.E, s.k), shared_experts(gated(s.d, s.m_s), 1), router(s.d, s.E)


__all__ = ["model", "notes", "sizes"]
