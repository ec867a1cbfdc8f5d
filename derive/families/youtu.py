"""Youtu-LLM: DeepSeek's latent attention in a small dense model, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._deepseek import attention_of, context_of, projection_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied unless said otherwise."""
    return {
        "L": config.size("L"), "d": config.size("d"), "h": config.size("h"), **projection_sizes(config), "m": config.size("m"),
        **vocabulary_sizes(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Youtu-LLM: latent attention and a gated feed-forward network.

    Source   Tencent 2025, the Youtu-LLM-2B model card; attention: DeepSeek-V2 2024, arXiv:2405.04434, section 2.1.
    """
    return decoder_of("youtu", s, Facts(attention=(attention_of(s, config),), context=context_of(s)))


__all__ = ["model", "notes", "sizes"]
