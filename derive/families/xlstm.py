"""xLSTM: a matrix memory in every layer, and a gated feed-forward network whose width is rounded up."""

from __future__ import annotations

from derive.architecture.context import recurrent_state
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.feed_forward import gated
from derive.architecture.matrix_memory import matrix_memory
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm, rms_norm
from derive.config import Config, shown
from derive.families._factors import factor, rounded_up
from derive.families._mamba import STATES, UNTIED
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; queries and keys, values, and the network are each as wide as a factor of d says.

    The head has a matrix of its own whatever `tie_word_embeddings` says, as the implementation has it.
    """
    config.flag("tie_word_embeddings", False)
    if not config.has("hidden_size"):
        config.fail("missing d (hidden size); tried hidden_size, for which embedding_dim does not stand in")
    d, h = config.size("d", "hidden_size", "embedding_dim"), config.size("h_lk", "num_heads")
    multiple = config.number("ffn_round_up_to_multiple_of")
    m = rounded_up(d * factor(config, "ffn_proj_factor"), multiple)
    return {
        "L": config.size("L", "num_hidden_layers", "num_blocks"), "d": d, "h_lk": h, "d_lk": _head(config, d, h, "qk_dim_factor"),
        "d_lv": _head(config, d, h, "v_dim_factor"), "m": m, "V": config.size("V"), "c": 2,
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """xLSTM: pre-norm blocks of a matrix memory and a gated feed-forward network.

    Source   Beck et al. 2025, arXiv:2503.13427, section 3.
    """
    bias = config.flag("use_bias", False)
    mixer = matrix_memory(s.d, s.h_lk, s.d_lk, s.d_lv, bias=bias)
    norms = layer_norm(s.d, copies=2) if bias else rms_norm(s.d, copies=2)
    return decoder(
        "xlstm",
        layers(s.L, mixer, gated(s.d, s.m, bias=bias), norms),
        rms_norm(s.d, name="final norm", symbol="P_final"),
        token_embedding(s.V, s.d),
        head(s.V, s.d, s.c),
        layers(s.L, recurrent_state(s.h_lk * s.d_lk * s.d_lv + s.h_lk * s.d_lk + s.h_lk)),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and which key the implementation does not follow."""
    return (STATES, *((UNTIED,) if config.flag("tie_word_embeddings", False) else ()))


def _head(config: Config, d: int, h: int, key: str) -> int:
    """The size of one head, where all heads together are a factor of d wide."""
    width = int(d * factor(config, key))
    if not width or width % h:
        config.fail(f"{key}={shown(config.values[key])} of the hidden size {d} does not divide into {h} heads")
    return width // h
