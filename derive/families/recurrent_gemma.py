"""RecurrentGemma: recurrent blocks around an RG-LRU, attention through a window in every few layers, gated networks."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias
from derive.architecture.context import recurrent_state
from derive.architecture.feed_forward import gated
from derive.architecture.gated_recurrence import recurrent_block
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config, shown
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import RECURRENT, SLIDING, counts, layer_count
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.mamba import notes

WORDS = {"recurrent": RECURRENT, "attention": SLIDING}


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `block_types` is repeated over the layers, and `intermediate_size` holds gate and up together."""
    L = layer_count(config)
    kinds = _kinds(config, L)
    found = {"L": L, **counts(kinds), **attention_sizes(config)}
    if SLIDING in kinds:
        found |= {"w": config.size("w", "attention_window_size", "sliding_window")}
    if RECURRENT in kinds:
        d_rec, h = config.size("d_rec", "lru_width", null=found["d"]), found["h"]
        if d_rec % h:
            config.fail(f"lru_width={d_rec} does not divide into {h} diagonal blocks, one a head")
        found |= {"d_rec": d_rec, "d_block": d_rec // h, "d_conv": config.size("d_conv", "conv1d_width")}
    m = config.size("m", least=2) // 2
    return found | {"m": m, "V": config.size("V"), "c": stored_copies(config, tied=True)}


def model(s: Sizes, config: Config) -> Model:
    """RecurrentGemma: pre-norm blocks, recurrent or with sliding attention, and a gated network with biases.

    Source   Botev et al. 2024, arXiv:2404.07839, section 2; Griffin: De et al. 2024, arXiv:2402.19427, section 2.
    """
    qkv, recurrent = config.flag("attention_bias", False), "L_rec" in s
    mixer = (recurrent_block(s.d, s.d_rec, s.d_conv, s.h, s.d_block),) if recurrent else ()
    return decoder(
        "recurrent_gemma",
        *in_layers(s, L_S=(attention(s, bias=AttentionBias(q=qkv, k=qkv, v=qkv, o=True)),)),
        *in_layers(s, L_rec=mixer),
        layers(s.L, gated(s.d, s.m, bias=True), rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, recurrent_state(s.d_rec, s.d_rec, s.d_conv) if recurrent else None),
    )


def _kinds(config: Config, L: int) -> list[str]:
    pattern = config.values.get("block_types")
    config.has("block_types")
    if not isinstance(pattern, list) or not pattern or not all(isinstance(kind, str) and kind in WORDS for kind in pattern):
        config.fail(f"block_types must be a list of 'recurrent' and 'attention', repeated over the layers, not {shown(pattern)}")
    return [WORDS[pattern[layer % len(pattern)]] for layer in range(L)]


__all__ = ["model", "notes", "sizes"]
