"""Phi-3: LLaMA blocks whose projections are stored fused: queries, keys and values as one matrix, gate and up as one."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import where_set
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number."""
    return dense_sizes(config, all_heads=True, sliding=where_set(config))


def model(s: Sizes, config: Config) -> Model:
    """Phi-3: grouped-query attention and a gated feed-forward network; fusing changes no count.

    Source   Abdin et al. 2024, arXiv:2404.14219, section 2.
    """
    return decoder_of("phi3", s, Facts())


__all__ = ["model", "notes", "sizes"]
