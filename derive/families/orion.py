"""Orion: LLaMA blocks with LayerNorm in the place of RMSNorm."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._context import context_layers
from derive.families._llama_like import llama_sizes as sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def model(s: Sizes, config: Config) -> Model:
    """Orion: grouped-query attention and a gated feed-forward network between LayerNorms.

    Source   Chen et al. 2024, arXiv:2401.12246, section 3.
    """
    bias = ALL_BIAS if config.flag("attention_bias", False) else NO_BIAS
    block = (grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias), gated(s.d, s.m), layer_norm(s.d, copies=2))
    final = layer_norm(s.d, name="final norm", symbol="P_final")
    return decoder("orion", layers(s.L, *block), final, token_embedding(s.V, s.d), head(s.V, s.d, s.c), *context_layers(s))


__all__ = ["model", "notes", "sizes"]
