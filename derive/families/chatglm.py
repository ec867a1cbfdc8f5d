"""ChatGLM2, ChatGLM3 and GLM-4 under their own keys: two groups of keys and values, a gated network, biases on q, k and v."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm, rms_norm
from derive.config import Config
from derive.families._sizes import Sizes, stored_copies
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `multi_query_group_num` key/value heads where `multi_query_attention` is true, else as many as query heads."""
    if config.has("inner_hidden_size"):
        config.fail("inner_hidden_size is a key of the first ChatGLM-6B, which has other blocks than ChatGLM2 and its successors")
    config.refuse("pre_seq_len", 0, "a prefix encoder has parameters of its own")
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


def _norms(s: Sizes, config: Config) -> tuple[Component, tuple[Component, ...]]:
    """Two norms in each layer, and the one behind the last, which `post_layer_norm` can take away."""
    norm = rms_norm if config.flag("rmsnorm", True) else layer_norm
    final = (norm(s.d, name="final norm", symbol="P_final"),) if config.flag("post_layer_norm", True) else ()
    return norm(s.d, copies=2), final


__all__ = ["model", "notes", "sizes"]
