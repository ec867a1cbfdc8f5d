"""CTRL: multi-head attention, two-matrix feed-forward, LayerNorm, sinusoidal positions, biases everywhere, in the head as well."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._sizes import Sizes, multi_head_sizes, named, vocabulary_sizes
from derive.families.xglm import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied."""
    return {
        "L": config.size("L", *named("L")), **multi_head_sizes(config), "m": config.size("m", "dff"),
        **vocabulary_sizes(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """CTRL: pre-norm blocks of attention and a two-matrix feed-forward network.

    Source   Keskar et al. 2019, arXiv:1909.05858, section 3.
    """
    facts = Facts(multi_head=True, bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm, head_bias=True)
    return decoder_of("ctrl", s, facts)


__all__ = ["model", "notes", "sizes"]
