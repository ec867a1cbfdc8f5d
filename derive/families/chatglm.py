"""ChatGLM under its own keys: few groups of keys and values, a gated network, biases on q, k and v; the first one otherwise."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, AttentionBias, grouped_query_attention, multi_head_attention
from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm, rms_norm
from derive.config import Config
from derive.families._sizes import Sizes, stored_copies, whole_head
from derive.families.llama import notes

FIRST = "inner_hidden_size"
"""The key by which the configuration of the first ChatGLM-6B is known."""


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `multi_query_group_num` key/value heads where `multi_query_attention` is true, else as many as query heads."""
    config.refuse("pre_seq_len", 0, "a prefix encoder has parameters of its own")
    if config.has(FIRST):
        return _first_sizes(config)
    h, d_h = config.size("h", "num_attention_heads"), config.size("d_h", "kv_channels")
    h_kv = config.size("h_kv", "multi_query_group_num") if config.flag("multi_query_attention", False) else h
    if h % h_kv:
        config.fail(f"{h} query heads do not divide among multi_query_group_num={h_kv} key/value heads")
    return {
        "L": config.size("L", "num_layers", "num_hidden_layers"), "d": config.size("d"), "h": h, "h_kv": h_kv, "d_h": d_h,
        "d_q": h * d_h, "d_kv": h_kv * d_h, "m": config.size("m", "ffn_hidden_size"),
        "V": config.size("V", "padded_vocab_size") if config.has("padded_vocab_size") else config.size("V"),
        "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """ChatGLM: pre-norm blocks; `add_qkv_bias` puts biases on q, k and v, `add_bias_linear` on every projection.

    Source   GLM team 2024, arXiv:2406.12793, section 2; keys as in the released code of ChatGLM3-6B and GLM-4-9B.
    """
    if config.has(FIRST):
        return _first_model(s)
    every = config.flag("add_bias_linear", False)
    qkv = config.flag("add_qkv_bias", False) or every
    attention = grouped_query_attention(s.d, s.d_q, s.d_kv, bias=AttentionBias(q=qkv, k=qkv, v=qkv, o=every))
    norms, final = _norms(s, config)
    return decoder(
        "chatglm",
        layers(s.L, attention, gated(s.d, s.m, bias=every), norms),
        *final,
        token_embedding(s.V, s.d),
        head(s.V, s.d, s.c),
        layers(s.L, softmax_attention(s.d_q, s.d_kv)),
    )


def _first_sizes(config: Config) -> dict[str, int]:
    """The sizes of the first ChatGLM: multi-head attention, a two-matrix network, a tied head."""
    d, h = config.size("d"), config.size("h", "num_attention_heads")
    return {
        "L": config.size("L", "num_layers"), "d": d, "h": h, "h_kv": h, "d_h": whole_head(config, d, h), "d_q": d, "d_kv": d,
        "m": config.size("m", FIRST), "V": config.size("V"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def _first_model(s: Sizes) -> Model:
    """GLM blocks between LayerNorms, biases everywhere (Du et al. 2022, arXiv:2103.10360, section 2.2)."""
    block = (multi_head_attention(s.d, bias=ALL_BIAS), two_matrix(s.d, s.m, bias=True), layer_norm(s.d, copies=2))
    final = layer_norm(s.d, name="final norm", symbol="P_final")
    return decoder(
        "chatglm", layers(s.L, *block), final, token_embedding(s.V, s.d), head(s.V, s.d, s.c), layers(s.L, softmax_attention(s.d, s.d))
    )


def _norms(s: Sizes, config: Config) -> tuple[Component, tuple[Component, ...]]:
    """Two norms in each layer, and the one behind the last, which `post_layer_norm` can take away."""
    norm = rms_norm if config.flag("rmsnorm", True) else layer_norm
    final = (norm(s.d, name="final norm", symbol="P_final"),) if config.flag("post_layer_norm", True) else ()
    return norm(s.d, copies=2), final


__all__ = ["model", "notes", "sizes"]
