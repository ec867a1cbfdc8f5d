"""GLM-4.7-Flash: DeepSeek-V3's latent attention and experts in a smaller model."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import deepseek_v3
from derive.families._deepseek import latent_sizes
from derive.families._layer_kinds import listed_or_dense_first
from derive.families._sizes import Sizes
from derive.families.deepseek_v3 import notes, prediction


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `mlp_layer_types`, else `first_k_dense_replace`, else the family (one layer), says which layers are dense."""
    return latent_sizes(config, listed_or_dense_first(config, config.size("L"), default=1))


def model(s: Sizes, config: Config) -> Model:
    """GLM-4.7-Flash: the router chooses k of E gated experts beside the shared one.

    Source   Z.ai 2026, the GLM-4.7-Flash model card; blocks: DeepSeek-V3 2024, arXiv:2412.19437, section 2.1.
    """
    return deepseek_v3.model(s, config)


__all__ = ["model", "notes", "prediction", "sizes"]
