"""LLaMA and its like: grouped-query attention, gated feed-forward, RMSNorm, rotary positions."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    config.refuse("bias", False, "LLaMA says which biases it has by attention_bias and mlp_bias")
    return {
        "L": config.size("L"), **attention_sizes(config, all_heads=True), "m": config.size("m"), "V": config.size("V"),
        "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """LLaMA: pre-norm blocks of grouped-query attention and a gated feed-forward network.

    Source   Touvron et al. 2023, arXiv:2302.13971, section 2.2; grouped-query attention: arXiv:2307.09288, section 2.2.
    """
    attention_bias = ALL_BIAS if config.flag("attention_bias", False) else NO_BIAS
    return decoder(
        "llama",
        layers(
            s.L,
            grouped_query_attention(s.d, s.d_q, s.d_kv, bias=attention_bias),
            gated(s.d, s.m, bias=config.flag("mlp_bias", False)),
            rms_norm(s.d, copies=2),
        ),
        *ends(s),
        *context_layers(s),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    return ("Rotary positions have no parameters; a stored inv_freq is a buffer and is not counted.",)
