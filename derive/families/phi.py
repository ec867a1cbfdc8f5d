"""Phi-1, 1.5 and 2: attention and feed-forward side by side behind one LayerNorm, biases everywhere, in the head as well."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Phi: parallel blocks of attention and a two-matrix feed-forward network.

    Source   Li et al. 2023 (phi-1.5), arXiv:2309.05463, section 2.1.
    """
    normed = config.flag("qk_layernorm", False)
    if normed:
        width = config.size("d") // config.size("h")
        config.refuse("head_dim", width, f"the norms on queries and keys are {width} wide, the hidden size divided by the heads")
    norm = per_head(s, shift=True) if normed else None
    facts = Facts(bias=ALL_BIAS, qk_norm=norm, gated=False, mlp_bias=True, norm=layer_norm, norms=1, head_bias=True)
    return decoder_of("phi", s, facts)


__all__ = ["model", "notes", "sizes"]
