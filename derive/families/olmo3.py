"""OLMo 3: OLMo 2 blocks, three of four layers sliding."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, whole_width
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every fourth layer looks at the whole context."""
    return dense_sizes(config, all_heads=True, sliding=lambda layer: (layer + 1) % 4 != 0)


def model(s: Sizes, config: Config) -> Model:
    """OLMo 3: attention with query and key norms over all heads, gated feed-forward.

    Source   OLMo 3 2025, arXiv:2512.13961, section 2.
    """
    return decoder_of("olmo3", s, Facts(bias=attention_bias(config), qk_norm=whole_width(s)))


__all__ = ["model", "notes", "sizes"]
