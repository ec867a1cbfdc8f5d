"""StarCoder2: LayerNorm, a two-matrix feed-forward, biases everywhere, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._context import where_set
from derive.families._decoder import Facts, decoder_of, dense_sizes, everywhere
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number, and the head is tied."""
    return dense_sizes(config, tied=True, sliding=where_set(config))


def model(s: Sizes, config: Config) -> Model:
    """StarCoder2: grouped-query attention and a two-matrix feed-forward network.

    Source   Lozhkov et al. 2024, arXiv:2402.19173, section 5.
    """
    bias = config.flag("use_bias", True)
    return decoder_of("starcoder2", s, Facts(bias=everywhere(bias), gated=False, mlp_bias=bias, norm=layer_norm))


__all__ = ["model", "notes", "sizes"]
