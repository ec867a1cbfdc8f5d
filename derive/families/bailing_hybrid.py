"""Ling's hybrid models (Bailing): delta attention, gated latent attention in every few layers, experts beside shared ones."""

from __future__ import annotations

from derive.architecture.delta_net import delta_attention
from derive.architecture.gated_attention import attention_gate
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._delta_attention import delta_contexts, latent_mixer, latent_sizes, network_layers, network_sizes, networks
from derive.families._hybrid import in_layers
from derive.families._layer_kinds import ATTENTION, RECURRENT, by_rule, counts, layer_count, listed, required, unused
from derive.families._mamba import STATES, UNTIED
from derive.families._sizes import Sizes, ends


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every `layer_group_size`-th layer has attention, where no list says so layer by layer.

    Delta attention has the heads of attention, of `head_dim`, where its own keys `linear_…` say nothing else. The head has a
    matrix of its own whatever `tie_word_embeddings` says, as the implementation has it.
    """
    L = layer_count(config)
    config.flag("tie_word_embeddings", False)
    kinds, feed_forward = _mixers(config, L), networks(config, L)
    found = {"L": L, **counts(kinds), **counts(feed_forward), "d": config.size("d"), "h": config.size("h"), **latent_sizes(config, kinds)}
    if RECURRENT in kinds:
        found |= {
            "h_lk": config.size("h_lk", "linear_num_heads", default=found["h"]),
            "d_lk": config.size("d_lk", "linear_head_dim" if config.has("linear_head_dim") else "head_dim"),
            "d_conv": config.size("d_conv", "linear_conv_kernel_dim", "short_conv_kernel_size"),
        }
    return found | network_sizes(config, feed_forward) | {"V": config.size("V"), "c": 2}


def model(s: Sizes, config: Config) -> Model:
    """Bailing hybrid: pre-norm blocks of delta attention or of latent attention with a gate a head, then a network or experts.

    Source   Ling 2026, as built in transformers; delta attention: arXiv:2510.26692, section 3.
    """
    latent = (*latent_mixer(s, config), attention_gate(s.d, s.h))
    mixer = (delta_attention(s.d, s.h_lk, s.d_lk, s.d_conv, low_rank=False),) if "L_rec" in s else ()
    return decoder(
        "bailing_hybrid",
        *in_layers(s, L_F=latent, L_rec=mixer),
        *network_layers(s),
        layers(s.L, rms_norm(s.d, copies=2)),
        *ends(s),
        *delta_contexts(s),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, which key the implementation does not follow, and what the count leaves out."""
    found = [STATES, *((UNTIED,) if config.flag("tie_word_embeddings", False) else ())]
    if config.number("num_nextn_predict_layers", "num_mtp_layers", default=0, least=0):
        found.append("num_nextn_predict_layers: layers that predict further tokens are not part of the model and are not counted.")
    return tuple(found)


def _mixers(config: Config, L: int) -> list[str]:
    unused(config, "layer_group_size")
    kinds = listed(config, L, "layer_types")
    if kinds is None and config.has("layer_group_size"):
        group = config.number("layer_group_size")
        kinds = by_rule(L, lambda layer: (layer + 1) % group == 0, (ATTENTION, RECURRENT))
    return required(config, kinds, "layer_types", "layer_group_size")
