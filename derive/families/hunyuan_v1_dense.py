"""Hunyuan, its dense models: LLaMA blocks with norms on queries and keys."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    config.refuse("use_qk_norm", True, "the family has norms on queries and keys")
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Hunyuan: grouped-query attention whose queries and keys are normalised head by head, gated feed-forward.

    Source   Tencent 2025, the Hunyuan-7B model card.
    """
    facts = Facts(bias=attention_bias(config), qk_norm=per_head(s))
    return decoder_of("hunyuan_v1_dense", s, facts)


__all__ = ["model", "notes", "sizes"]
