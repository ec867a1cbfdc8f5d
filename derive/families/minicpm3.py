"""MiniCPM3: latent attention in a dense model, tied head."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._deepseek import attention_of, context_of, projection_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes, vocabulary_sizes, whole_head


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a value head size that is missing is d/h."""
    d, h = config.size("d"), config.size("h")
    value = {} if config.has("v_head_dim") else {"v_head_dim": whole_head(config, d, h)}
    return {
        "L": config.size("L"), "d": d, "h": h, **projection_sizes(Config({**config.values, **value}, config.source, config.read)),
        "m": config.size("m"), **vocabulary_sizes(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """MiniCPM3: latent attention and a gated feed-forward network; multipliers are no parameters.

    Source   OpenBMB 2024, the MiniCPM3-4B model card; attention: DeepSeek-V2 2024, arXiv:2405.04434, section 2.1.
    """
    facts = Facts(attention=(attention_of(s, config),), mlp_bias=config.flag("mlp_bias", False), context=context_of(s))
    return decoder_of("minicpm3", s, facts)


__all__ = ["model", "notes", "sizes"]
