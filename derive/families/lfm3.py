"""LFM3: short convolutions, gated attention to all of the context or through a window, norms on both sides of each part."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.convolution import short_convolution
from derive.architecture.feed_forward import gated
from derive.architecture.gated_attention import attention_gate
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._decoder import attention_bias
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import ATTENTION, SLIDING, counts, listed, required
from derive.families._lfm2 import WORDS, inputs
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.lfm2_moe import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a null `sliding_window` makes sliding layers look at all of the context."""
    L = config.size("L")
    words = {**WORDS, "sliding_attention": SLIDING if config.has("sliding_window") else ATTENTION}
    kinds = required(config, listed(config, L, "layer_types", words=words), "layer_types")
    window = {"w": config.size("w")} if SLIDING in kinds else {}
    if not config.has("head_dim"):
        config.fail("missing d_h (head size); tried head_dim, which LFM3 does not derive from the hidden size")
    return {
        "L": L, **counts(kinds), **window, **attention_sizes(config), "d_conv": config.size("d_conv", "conv_L_cache"),
        "m": config.size("m"), "V": config.size("V"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """LFM3: blocks of attention with a gate a head or of a short convolution, and a gated feed-forward network.

    Source   LFM3 2026, as built in transformers; LFM2: arXiv:2511.23404, section 2.
    """
    norms = rms_norm(s.d, copies=4 if config.flag("use_sandwich_norm", True) else 2)
    mixer = _attention(s, config)
    convolution = (short_convolution(s.d, s.d_conv, bias=config.flag("conv_bias", False)),)
    kinds = in_layers(s, L_F=mixer, L_S=mixer, L_conv=convolution)
    return decoder("lfm3", *kinds, layers(s.L, gated(s.d, s.m), norms), *ends(s), *contexts(s, inputs(s)))


def _attention(s: Sizes, config: Config) -> tuple[Component, ...]:
    gate = (attention_gate(s.d, s.h),) if config.flag("use_attention_gate", True) else ()
    return attention(s, bias=attention_bias(config), head_norms=True), *gate


__all__ = ["model", "notes", "sizes"]
