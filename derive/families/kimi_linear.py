"""Kimi Linear: delta attention, latent attention in every few layers, experts beside shared ones."""

from __future__ import annotations

from derive.architecture.delta_net import delta_attention
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._delta_attention import delta_contexts, latent_mixer, latent_sizes, network_layers, network_sizes, networks
from derive.families._hybrid import in_layers
from derive.families._layer_kinds import ATTENTION, RECURRENT, by_rule, counts, layer_count, layer_numbers, listed, required
from derive.families._mamba import STATES, UNTIED
from derive.families._sizes import Sizes, ends


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `linear_attn_config` of the released configuration counts its layers from 1.

    The head has a matrix of its own whatever `tie_word_embeddings` says, as the implementation has it.
    """
    L = layer_count(config)
    config.flag("tie_word_embeddings", False)
    inner = _released(config)
    kinds, feed_forward = _mixers(config, inner, L), networks(config, L)
    found = {"L": L, **counts(kinds), **counts(feed_forward), "d": config.size("d"), "h": config.size("h"), **latent_sizes(config, kinds)}
    if RECURRENT in kinds:
        found |= {"h_lk": inner.size("h_lk", "num_heads", "linear_num_heads"), "d_lk": inner.size("d_lk", "head_dim", "linear_head_dim")}
        found |= {"d_conv": inner.size("d_conv", "short_conv_kernel_size", "linear_conv_kernel_dim")}
    return found | network_sizes(config, feed_forward) | {"V": config.size("V"), "c": 2}


def model(s: Sizes, config: Config) -> Model:
    """Kimi Linear: pre-norm blocks of Kimi delta attention or of latent attention, then a network or experts.

    Source   Moonshot AI 2025, arXiv:2510.26692, sections 3 and 4.
    """
    mixer = (delta_attention(s.d, s.h_lk, s.d_lk, s.d_conv),) if "L_rec" in s else ()
    return decoder(
        "kimi_linear",
        *in_layers(s, L_F=latent_mixer(s, config), L_rec=mixer),
        *network_layers(s),
        layers(s.L, rms_norm(s.d, copies=2)),
        *ends(s),
        *delta_contexts(s),
    )


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
        full, delta = (layer_numbers(inner, key, L + 1) or [] for key in ("full_attn_layers", "kda_layers"))
        if sorted((*full, *delta)) != list(range(1, L + 1)):
            config.fail(f"full_attn_layers and kda_layers must name each of the layers 1 to {L} once")
        kinds = by_rule(L, lambda layer: layer + 1 in full, (ATTENTION, RECURRENT))
    return required(config, kinds, "layer_types", "linear_attn_config")
