"""GPT-2 and its like: multi-head attention, two-matrix feed-forward, LayerNorm, learned positions, biases everywhere."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.embeddings import learned_positions
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import quantised
from derive.families._sizes import Sizes, multi_head_sizes, named, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide unless `n_inner` says otherwise, and the head is tied."""
    config.refuse("add_cross_attention", False, "cross-attention layers are not part of a decoder-only model")
    heads = multi_head_sizes(config)
    return {
        "L": config.size("L", *named("L")), **heads, "m": config.size("m", "n_inner", default=4 * heads["d"]), "V": config.size("V"),
        "n_ctx": config.size("n_ctx", *named("n_ctx")), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GPT-2: pre-norm blocks of attention and a two-matrix feed-forward network.

    Source   Radford et al. 2019, section 2.3; Brown et al. 2020 (GPT-3), arXiv:2005.14165, section 2.1.
    """
    positions = (learned_positions(s.n_ctx, s.d),)
    facts = Facts(multi_head=True, bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm, inputs=positions)
    return decoder_of("gpt2", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    return ("Causal masks that old checkpoints store (n_ctx × n_ctx in each layer) are not parameters.", *quantised(config))
