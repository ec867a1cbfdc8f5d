"""OLMo Hybrid: gated delta nets, with attention in every few layers, and gated feed-forward networks."""

from __future__ import annotations

from derive.architecture.attention import QueryKeyNorm, grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._decoder import attention_bias
from derive.families._gated_delta import delta_mixer, delta_sizes, delta_state
from derive.families._hybrid import contexts, in_layers
from derive.families._layer_kinds import ATTENTION, RECURRENT, counts, listed, required
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.mamba import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the model has layers of both kinds."""
    L = config.size("L")
    kinds = required(config, listed(config, L, "layer_types"), "layer_types")
    if not {ATTENTION, RECURRENT} <= set(kinds):
        config.fail("layer_types must name layers of both kinds, full_attention and linear_attention")
    return {
        "L": L, **counts(kinds), **attention_sizes(config), **delta_sizes(config), "m": config.size("m"), "V": config.size("V"),
        "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """OLMo Hybrid: two norms a layer, before the parts of a recurrent layer and behind those of an attention layer.

    Source   OLMo Hybrid 2026, as built in transformers; gated delta net: arXiv:2412.06464, section 3.
    """
    norm = QueryKeyNorm(s.d_q, s.d_kv)
    attention = grouped_query_attention(s.d, s.d_q, s.d_kv, bias=attention_bias(config), norm=norm)
    return decoder(
        "olmo_hybrid",
        *in_layers(s, L_F=(attention,), L_rec=(delta_mixer(s, fused="none"),)),
        layers(s.L, gated(s.d, s.m), rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, delta_state(s)),
    )


__all__ = ["model", "notes", "sizes"]
