"""BLOOM: GPT-2 blocks with ALiBi in place of learned positions, and a LayerNorm on the embedding."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import quantised
from derive.families._sizes import Sizes, multi_head_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is always 4d wide, and the head is tied."""
    heads = multi_head_sizes(config, width="n_embed")
    return {"L": config.size("L", *named("L")), **heads, "m": 4 * heads["d"], **vocabulary_sizes(config, tied=True)}


def model(s: Sizes, config: Config) -> Model:
    """BLOOM: pre-norm blocks of multi-head attention and a two-matrix feed-forward network, biases everywhere.

    Source   BigScience 2022, arXiv:2211.05100, section 3.2.
    """
    first = layer_norm(s.d, name="embedding norm", symbol="P_first")
    return decoder_of("bloom", s, Facts(multi_head=True, bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm, inputs=(first,)))


def notes(config: Config) -> tuple[str, ...]:
    """What has no parameters."""
    return ("ALiBi has no parameters: the slopes follow from the number of heads.", *quantised(config))
