"""RWKV-4: time mixing in the place of attention, channel mixing in the place of the feed-forward network."""

from __future__ import annotations

from derive.architecture.context import recurrent_state
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.gated_recurrence import channel_mixing, time_mixing
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._sizes import Sizes, stored_copies
from derive.families.mamba import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a null `attention_hidden_size` is d, a null `intermediate_size` 4d."""
    L, d = config.size("L"), config.size("d")
    return {
        "L": L, "d": d, "d_q": config.size("d_q", "attention_hidden_size", default=d),
        "m": config.size("m", "intermediate_size", default=4 * d), "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """RWKV: pre-norm blocks of time mixing and channel mixing; one more norm behind the embedding.

    Source   Peng et al. 2023, arXiv:2305.13048, section 3.
    """
    return decoder(
        "rwkv",
        layers(s.L, time_mixing(s.d, s.d_q), channel_mixing(s.d, s.m), layer_norm(s.d, copies=2)),
        layer_norm(s.d, name="embedding norm", symbol="P_first"),
        layer_norm(s.d, name="final norm", symbol="P_final"),
        token_embedding(s.V, s.d),
        head(s.V, s.d, s.c),
        layers(s.L, recurrent_state(3 * s.d_q + 2 * s.d)),
    )


__all__ = ["model", "notes", "sizes"]
