"""GPT-2 and its like: multi-head attention, two-matrix feed-forward, LayerNorm, learned positions, biases everywhere."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, multi_head_attention
from derive.architecture.context import softmax_attention
from derive.architecture.embeddings import head, learned_positions, token_embedding
from derive.architecture.feed_forward import two_matrix
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._sizes import Sizes, stored_copies, whole_head
from derive.symbols import BY_NAME


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide unless `n_inner` says otherwise, and the head is tied."""
    config.refuse("add_cross_attention", False, "cross-attention layers are not part of a decoder-only model")
    L, d, h = (config.size(symbol, *BY_NAME[symbol].keys) for symbol in ("L", "d", "h"))
    return {
        "L": L, "d": d, "h": h, "h_kv": h, "d_h": whole_head(config, d, h), "d_q": d, "d_kv": d,
        "m": config.size("m", "n_inner", default=4 * d), "V": config.size("V"),
        "n_ctx": config.size("n_ctx", *BY_NAME["n_ctx"].keys), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GPT-2: pre-norm blocks of attention and a two-matrix feed-forward network.

    Source   Radford et al. 2019, section 2.3; Brown et al. 2020 (GPT-3), arXiv:2005.14165, section 2.1.
    """
    return decoder(
        "gpt2",
        layers(
            s.L,
            multi_head_attention(s.d, bias=ALL_BIAS),
            two_matrix(s.d, s.m, bias=True),
            layer_norm(s.d, copies=2),
        ),
        layer_norm(s.d, name="final norm", symbol="P_final"),
        token_embedding(s.V, s.d),
        learned_positions(s.n_ctx, s.d),
        head(s.V, s.d, s.c),
        layers(s.L, softmax_attention(s.d, s.d)),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    return ("Causal masks that old checkpoints store (n_ctx × n_ctx in each layer) are not parameters.",)
