"""Helium: LLaMA blocks with an explicit head size, whose output projection is square."""

from __future__ import annotations

from dataclasses import replace

from derive.architecture.attention import grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.families._decoder import Facts, but_output, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the model runs only where the heads together are as wide as the hidden size."""
    return dense_sizes(config, explicit="Helium")


def model(s: Sizes, config: Config) -> Model:
    """Helium: attention, gated feed-forward; a bias, if any, on queries, keys and values.

    Source   Kyutai 2025, the Helium 1 announcement.
    """
    bias = but_output(config.flag("attention_bias", False))
    attention = _square(grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias), s)
    return decoder_of("helium", s, Facts(attention=(attention,), mlp_bias=config.flag("mlp_bias", False)))


def _square(attention: Component, s: Sizes) -> Component:
    """The output projection takes d values, however wide the heads are."""
    output = matrix("W_O", s.d, s.d)
    return replace(attention, tensors=tuple(output if tensor.name == "W_O" else tensor for tensor in attention.tensors))


__all__ = ["model", "notes", "sizes"]
