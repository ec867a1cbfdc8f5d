"""LLaMA blocks under other names: grouped-query attention, a gated feed-forward network, two norms."""

from __future__ import annotations

from derive.architecture.attention import NO_BIAS, AttentionBias, grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies


def llama_sizes(config: Config, *, all_heads: bool = False, tied: bool = False) -> dict[str, int]:
    """The sizes by symbol; with `all_heads`, missing key/value heads are as many as query heads."""
    return {
        "L": config.size("L"), **attention_sizes(config, all_heads=all_heads), "m": config.size("m"), "V": config.size("V"),
        "c": stored_copies(config, tied=tied),
    }  # fmt: skip


def llama_model(name: str, s: Sizes, *, bias: AttentionBias = NO_BIAS, mlp_bias: bool = False) -> Model:
    """Pre-norm blocks with these biases."""
    block = (grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias), gated(s.d, s.m, bias=mlp_bias), rms_norm(s.d, copies=2))
    return decoder(name, layers(s.L, *block), *ends(s), *context_layers(s))


def multi_head_only(config: Config) -> None:
    """Refuse key/value heads of their own number, which the family does not have."""
    config.refuse("num_key_value_heads", config.size("h"), "the family has as many key/value heads as query heads")
