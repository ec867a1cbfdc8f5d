"""DeepSeek-V3.2: DeepSeek-V3 whose attention reads only the tokens that an indexer selects."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._indexed import indexed_model, indexed_notes, indexed_prediction, indexed_sizes
from derive.families._sizes import Sizes
from derive.families._stored import Repeated


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `mlp_layer_types`, else `first_k_dense_replace`, says which layers are dense."""
    return indexed_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """DeepSeek-V3.2: latent attention with a lightning indexer in every layer.

    Source   DeepSeek-AI 2025, arXiv:2512.02556, section 2.1; experts: arXiv:2412.19437, section 2.1.
    """
    return indexed_model("deepseek_v32", s, config)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    return indexed_notes(config)


def prediction(s: Sizes, config: Config) -> Repeated:
    """The layers that predict further tokens; embedding and head are stored again for them."""
    return indexed_prediction(s, config, copies=True)
