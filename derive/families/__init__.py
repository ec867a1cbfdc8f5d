"""Families of architectures: from a config.json to a model. Each module but the private ones is one model type."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Protocol, cast

from derive.architecture.model import Model
from derive.config import Config
from derive.families._sizes import Sizes

OTHER_NAMES = {
    "RefinedWeb": "refined_web", "RefinedWebModel": "refined_web_model", "Yi": "yi", "PanguEmbedded": "pangu",
    "openpangu_dense": "pangu", "minimax_text_01": "minimax", "minimax_m1": "minimax", "cohere_compass_text": "cohere2",
    "sarvam_mla": "deepseek_v3",
}  # fmt: skip
"""Model types by the module of their family, where that has another name."""


class Family(Protocol):
    """What a family module has."""

    def sizes(self, config: Config) -> dict[str, int]:
        """The sizes by symbol; `ConfigError` for a configuration that the family does not cover."""

    def model(self, s: Sizes, config: Config) -> Model:
        """The model of these sizes, read as numbers or as symbols."""

    def notes(self, config: Config) -> tuple[str, ...]:
        """What a reader should know about the count."""


def model_types() -> tuple[str, ...]:
    """The model types that have a family, by the names of the modules here."""
    names = os.listdir(os.path.dirname(__file__))
    return tuple(sorted(name.removesuffix(".py") for name in names if name.endswith(".py") and not name.startswith("_")))


def family_of(config: Config) -> Family:
    """The family of a configuration; `ConfigError` where its model type is unknown. A dash in a type is `_` in the module's name."""
    model_type = OTHER_NAMES.get(config.model_type, config.model_type).replace("-", "_")
    known = model_types()
    if model_type not in known:
        config.fail(f"unknown model_type '{model_type[:60]}'; {_closest(model_type, known)}")
    return cast(Family, import_module(f"derive.families.{model_type}"))


def _closest(model_type: str, known: tuple[str, ...]) -> str:
    """The known types most like the one asked for, or how many are known."""
    from difflib import get_close_matches

    close = get_close_matches(model_type[:60], known, n=3)
    return f"the closest known: {', '.join(close)}" if close else f"{len(known)} types are known, among them llama, qwen3, mixtral and gpt2"
