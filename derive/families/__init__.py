"""Families of architectures: from a config.json to a model. Each module but the private ones is one model type."""

from __future__ import annotations

import os
from importlib import import_module
from typing import NoReturn, Protocol, cast

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
    """What a family module has; one whose checkpoints store layers that predict further tokens has `prediction(s, config)`, too."""

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


def _module(model_type: str) -> object | None:
    """The module of a model type; a dash in a type is `_` in the module's name."""
    name = OTHER_NAMES.get(model_type, model_type).replace("-", "_")
    return import_module(f"derive.families.{name}") if name in model_types() else None


def family_of(config: Config) -> Family:
    """The family of a configuration; `ConfigError` where its model type is unknown."""
    family = _module(config.model_type)
    return unknown_type(config) if family is None else cast(Family, family)


def has_family(model_type: str) -> bool:
    """Whether a model type has a family by hand."""
    return _module(model_type) is not None


def unknown_type(config: Config, others: tuple[str, ...] = ()) -> NoReturn:
    """Raise `ConfigError` for a model type that neither has a family nor is one of the others that are known."""
    known = (*model_types(), *others)
    config.fail(f"unknown model_type '{config.model_type[:60]}'; {_closest(config.model_type, known)}")


def stored_beside(config: Config, s: Sizes, model: Model) -> dict[str, int]:
    """What a checkpoint that keeps everything holds, item by item; nothing where that is the parameters alone."""
    from derive.families._stored import stored

    further = getattr(_module(config.model_type), "prediction", None)
    return stored(config, model, further(s, config) if further else ())


def _closest(model_type: str, known: tuple[str, ...]) -> str:
    """The known types most like the one asked for, or how many are known."""
    from difflib import get_close_matches

    close = get_close_matches(model_type[:60], known, n=3)
    return f"the closest known: {', '.join(close)}" if close else f"{len(known)} types are known, among them llama, qwen3, mixtral and gpt2"
