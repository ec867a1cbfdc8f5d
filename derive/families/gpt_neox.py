"""GPT-NeoX and Pythia: multi-head attention beside a two-matrix feed-forward, each behind its own LayerNorm."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, everywhere
from derive.families._notes import notes
from derive.families._sizes import Sizes, multi_head_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    config.flag("use_parallel_residual", True)  # the two norms are there either way
    return {"L": config.size("L"), **multi_head_sizes(config), "m": config.size("m"), **vocabulary_sizes(config, tied=False)}


def model(s: Sizes, config: Config) -> Model:
    """GPT-NeoX: parallel blocks with rotary positions on a part of each head.

    Source   Black et al. 2022, arXiv:2204.06745, section 2.
    """
    bias = everywhere(config.flag("attention_bias", True))
    return decoder_of("gpt_neox", s, Facts(multi_head=True, bias=bias, gated=False, mlp_bias=True, norm=layer_norm))


__all__ = ["model", "notes", "sizes"]
