"""Falcon under the keys of its first release: tied head, two-matrix networks of 4d, attention and network side by side."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.context import softmax_attention
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.feed_forward import two_matrix
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._sizes import Sizes, stored_copies, whole_head


def refined_web_sizes(config: Config, h_kv: int) -> dict[str, int]:
    """The sizes by symbol, with these key/value heads."""
    d, h = config.size("d", "hidden_size", "n_embed"), config.size("h", "n_head", "num_attention_heads")
    d_h = whole_head(config, d, h)
    if h % h_kv:
        config.fail(f"{h} query heads do not divide among {h_kv} key/value heads")
    return {
        "L": config.size("L", "n_layer", "num_hidden_layers"), "d": d, "h": h, "h_kv": h_kv, "d_h": d_h, "d_q": d, "d_kv": h_kv * d_h,
        "m": 4 * d, "V": config.size("V"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def refined_web_model(name: str, s: Sizes, config: Config, norms: int, *, parallel: bool) -> Model:
    """Blocks with so many LayerNorms; one flag puts biases on all projections."""
    bias, called = config.flag("bias", False), "norms beside each other" if parallel else "norms"
    attention = grouped_query_attention(s.d, s.d_q, s.d_kv, bias=ALL_BIAS if bias else NO_BIAS)
    return decoder(
        name,
        layers(s.L, attention, two_matrix(s.d, s.m, bias=bias), layer_norm(s.d, copies=norms, name=called)),
        layer_norm(s.d, name="final norm", symbol="P_final"),
        token_embedding(s.V, s.d),
        head(s.V, s.d, s.c),
        layers(s.L, softmax_attention(s.d_q, s.d_kv)),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What checkpoints store beside the model."""
    told = "The head is tied; checkpoints that store it as a matrix of its own hold V d elements more."
    return (told,) if config.flag("tie_word_embeddings", True) else ()
