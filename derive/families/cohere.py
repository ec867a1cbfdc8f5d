"""Cohere Command R: attention and feed-forward side by side behind one LayerNorm without shift, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm_without_shift
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, whole_width
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Command R: parallel blocks; with `use_qk_norm` every head has its own scales on queries and keys.

    Source   Aryabumi et al. 2024 (Aya 23), arXiv:2405.15032, section 2.
    """
    norm = whole_width(s) if config.flag("use_qk_norm", False) else None
    facts = Facts(bias=attention_bias(config), qk_norm=norm, norm=layer_norm_without_shift, norms=1)
    return decoder_of("cohere", s, facts)


__all__ = ["model", "notes", "sizes"]
