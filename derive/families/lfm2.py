"""LFM2: short convolutions, with attention in some layers, and a gated feed-forward network whose width is adjusted."""

from __future__ import annotations

from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._factors import factor, rounded_up
from derive.families._hybrid import contexts
from derive.families._layer_kinds import ATTENTION, CONVOLUTION, by_rule, counts, layer_count, layer_numbers, listed, required
from derive.families._lfm2 import WORDS, inputs, mixers, tied
from derive.families._sizes import Sizes, attention_sizes, ends


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `full_attn_idxs` names the layers with attention where no list names every layer's kind."""
    L = layer_count(config)
    kinds = listed(config, L, "layer_types", words=WORDS)
    if kinds is None and "full_attn_idxs" in config.values:
        named = layer_numbers(config, "full_attn_idxs", L)
        kinds = by_rule(L, lambda layer: named is None or layer in named, (ATTENTION, CONVOLUTION))
    config.has("full_attn_idxs")
    kinds = required(config, kinds, "layer_types", "full_attn_idxs")
    return {
        "L": L, **counts(kinds), **attention_sizes(config), "d_conv": config.size("d_conv", "conv_L_cache"), "m": _width(config),
        "V": config.size("V"), "c": tied(config),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """LFM2: pre-norm blocks of attention or of a short gated convolution, and a gated feed-forward network.

    Source   LFM2 2025, arXiv:2511.23404, section 2.
    """
    block = layers(s.L, gated(s.d, s.m), rms_norm(s.d, copies=2))
    return decoder("lfm2", *mixers(s, config), block, *ends(s), *contexts(s, inputs(s)))


def notes(config: Config) -> tuple[str, ...]:
    """How the feed-forward network's width comes about."""
    if not config.flag("block_auto_adjust_ff_dim", True):
        return ()
    stated = config.size("m", *_stated(config))
    return (f"The feed-forward network is {_width(config):,} wide: two thirds of {stated:,}, made a multiple of block_multiple_of.",)


def _stated(config: Config) -> tuple[str, ...]:
    return ("block_ff_dim",) if config.has("block_ff_dim") else ("intermediate_size",)


def _width(config: Config) -> int:
    """The feed-forward width: two thirds of the stated one, times a factor, rounded up to a multiple; or as it is stated."""
    m = config.size("m", *_stated(config))
    if not config.flag("block_auto_adjust_ff_dim", True):
        return m
    m = 2 * m // 3
    if config.values.get("block_ffn_dim_multiplier", 1) is None:
        return m
    if config.has("block_ffn_dim_multiplier"):
        m = int(factor(config, "block_ffn_dim_multiplier") * m)
    return rounded_up(m, config.number("block_multiple_of"))
