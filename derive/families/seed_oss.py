"""Seed-OSS: LLaMA blocks with an explicit head size, and biases on queries, keys and values."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the heads together may be wider than the hidden size."""
    return dense_sizes(config, explicit="Seed-OSS")


def model(s: Sizes, config: Config) -> Model:
    """Seed-OSS: grouped-query attention with a gated feed-forward network.

    Source   ByteDance Seed 2025, the Seed-OSS-36B model card.
    """
    inner, outer = config.flag("attention_bias", True), config.flag("attention_out_bias", False)
    bias = AttentionBias(q=inner, k=inner, v=inner, o=outer)
    return decoder_of("seed_oss", s, Facts(bias=bias, mlp_bias=config.flag("mlp_bias", False)))


__all__ = ["model", "notes", "sizes"]
