"""A decoder that says every fact about itself: what Megatron-LM and litgpt build from their options.

The facts stand under the keys of config.json where it has them; `mlp` is gated or two_matrix, `norm` rms or layer.
"""

from __future__ import annotations

from derive.architecture.attention import AttentionBias, QueryKeyNorm, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.embeddings import head, learned_positions, token_embedding
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm, rms_norm
from derive.config import Config
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, stored_copies
from derive.formula.tree import Dim

FACTS = (
    "hidden_size num_hidden_layers num_attention_heads num_key_value_heads head_dim intermediate_size vocab_size "
    "tie_word_embeddings mlp norm qkv_bias o_bias mlp_bias head_bias qk_norm qk_norm_all_heads norms_per_layer "
    "max_position_embeddings sliding_window sliding_layers num_experts num_experts_per_tok"
).split()
"""The keys that are read."""


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; learned positions and experts only where there are any."""
    L = config.size("L")
    slides = config.values.get("sliding_layers") or [False] * L
    found = {
        "L": L, **span_sizes(config, L, lambda layer: bool(slides[layer])), **attention_sizes(config),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip
    if config.has("num_experts"):
        found |= {"m_e": config.size("m_e", "intermediate_size"), "E": config.size("E", "num_experts"), "k": config.size("k")}
        if found["k"] > found["E"]:
            config.fail(f"{found['k']} experts chosen for a token, but there are only {found['E']}")
    else:
        found["m"] = config.size("m")
    if config.has("max_position_embeddings"):
        found["n_ctx"] = config.size("n_ctx", "max_position_embeddings")
    return found


def model(s: Sizes, config: Config) -> Model:
    """A pre-norm decoder of these facts.

    Source   Megatron-LM, arXiv:1909.08053, section 3, and the options of its core; litgpt's configuration.
    """
    block = (
        _attention(s, config),
        *_feed_forward(s, config),
        *([_norm(s.d, config, "norms", "P_norm", config.values["norms_per_layer"])] if config.values["norms_per_layer"] else []),
    )
    return decoder(
        "decoder",
        layers(s.L, *block),
        _norm(s.d, config, "final norm", "P_final"),
        token_embedding(s.V, s.d),
        *((learned_positions(s.n_ctx, s.d),) if "n_ctx" in s else ()),
        head(s.V, s.d, s.c, bias=config.flag("head_bias", False)),
        *context_layers(s),
    )


def notes(config: Config) -> tuple[str, ...]:
    """Nothing beside the note of the translation."""
    return ()


def _attention(s: Sizes, config: Config) -> Component:
    qkv, o = config.flag("qkv_bias", False), config.flag("o_bias", False)
    norm = None
    if config.flag("qk_norm", False):
        norm = QueryKeyNorm(s.d_q, s.d_kv) if config.flag("qk_norm_all_heads", False) else QueryKeyNorm(s.d_h, s.d_h)
    return grouped_query_attention(s.d, s.d_q, s.d_kv, bias=AttentionBias(q=qkv, k=qkv, v=qkv, o=o), norm=norm)


def _feed_forward(s: Sizes, config: Config) -> tuple[Component, ...]:
    network = gated if config.values["mlp"] == "gated" else two_matrix
    bias = config.flag("mlp_bias", False)
    if "E" not in s:
        return (network(s.d, s.m, bias=bias),)
    return routed_experts(network(s.d, s.m_e, bias=bias), s.E, s.k), router(s.d, s.E)


def _norm(d: Dim, config: Config, name: str, symbol: str, copies: int = 1) -> Component:
    norm = rms_norm if config.values["norm"] == "rms" else layer_norm
    return norm(d, copies=copies, name=name, symbol=symbol)
