"""Bamba: Mamba-2 layers, with attention in those that a list names; a gated feed-forward network in all."""

from __future__ import annotations

from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._decoder import attention_bias
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import ATTENTION, RECURRENT, by_rule, counts, layer_count, layer_numbers, listed, required
from derive.families._mamba2 import duality_state, hybrid_mixer, hybrid_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.mamba import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `attn_layer_indices` names the layers with attention, and null means none of them."""
    L = layer_count(config)
    kinds = listed(config, L, "layers_block_type", "layer_types")
    if "attn_layer_indices" in config.values:
        named = layer_numbers(config, "attn_layer_indices", L) or []
        ruled = by_rule(L, lambda layer: layer in named, (ATTENTION, RECURRENT))
        if kinds not in (None, ruled):
            config.fail("attn_layer_indices and the list of layer kinds disagree; keep one of them")
        kinds = ruled
    kinds = required(config, kinds, "attn_layer_indices", "layers_block_type", "layer_types")
    found = {"L": L, **counts(kinds), **attention_sizes(config)}
    found |= hybrid_sizes(config, found["d"]) if RECURRENT in kinds else {}
    return found | {"m": config.size("m"), "V": config.size("V"), "c": stored_copies(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """Bamba: pre-norm blocks of attention or of a Mamba-2 layer, and a gated feed-forward network.

    Source   Bamba-9B 2024, IBM, Princeton, CMU and UIUC; its Mamba-2 layers: arXiv:2405.21060, section 7.
    """
    recurrent = "L_rec" in s
    return decoder(
        "bamba",
        *in_layers(s, L_F=(attention(s, bias=attention_bias(config)),)),
        *in_layers(s, L_rec=(hybrid_mixer(s, config),) if recurrent else ()),
        layers(s.L, gated(s.d, s.m, bias=config.flag("mlp_bias", False)), rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, duality_state(s) if recurrent else None),
    )


__all__ = ["model", "notes", "sizes"]
