"""XGLM: GPT-2 blocks with sinusoidal positions, which are not learned."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import quantised
from derive.families._sizes import Sizes, multi_head_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied."""
    config.refuse("add_cross_attention", False, "cross-attention layers are not part of a decoder-only model")
    heads = multi_head_sizes(config, width="d_model", heads="attention_heads")
    return {
        "L": config.size("L", *named("L", "num_layers")), **heads, "m": config.size("m", "ffn_dim"),
        **vocabulary_sizes(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """XGLM: multi-head attention and a two-matrix feed-forward network, LayerNorm, biases everywhere but in the head.

    Source   Lin et al. 2021, arXiv:2112.10668, section 2.2.
    """
    return decoder_of("xglm", s, Facts(multi_head=True, bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm))


def notes(config: Config) -> tuple[str, ...]:
    """What has no parameters."""
    return ("Sinusoidal positions have no parameters; a stored table of them is a buffer.", *quantised(config))
