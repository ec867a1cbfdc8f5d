"""Cohere Command R7B and Command A: parallel blocks behind one LayerNorm without shift, three of four layers sliding."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm_without_shift
from derive.config import Config
from derive.families._context import all_but_every
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every fourth layer looks at the whole context, and the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, all_heads=True, sliding=all_but_every(config, 4))


def model(s: Sizes, config: Config) -> Model:
    """Command A: grouped-query attention and a gated feed-forward network side by side.

    Source   Cohere 2025 (Command A), arXiv:2504.00698, section 2.
    """
    facts = Facts(bias=attention_bias(config), norm=layer_norm_without_shift, norms=1)
    return decoder_of("cohere2", s, facts)


__all__ = ["model", "notes", "sizes"]
