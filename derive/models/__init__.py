"""Models that ship with derive: one JSON file each, with its name, its source and its configuration."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from derive.config import Config


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A released model: the name people use, where its sizes were published, and its configuration."""

    name: str
    source: str
    config: Config


def bundled_models() -> tuple[BundledModel, ...]:
    """Every bundled model, by file name."""
    return tuple(_load(stem) for stem in _stems())


def bundled_model(name: str) -> BundledModel | None:
    """The model of that name, whatever its case, spaces and dashes; None where there is none."""
    wanted = _bare(name)
    for stem in _stems():
        if _bare(stem) == wanted:
            return _load(stem)
    return None


_FOLDER = os.path.dirname(__file__)


def _stems() -> list[str]:
    return sorted(name.removesuffix(".json") for name in os.listdir(_FOLDER) if name.endswith(".json"))


def _load(stem: str) -> BundledModel:
    with open(os.path.join(_FOLDER, f"{stem}.json"), encoding="utf-8") as file:
        entry = json.load(file)
    return BundledModel(entry["name"], entry["source"], Config(entry["config"], entry["name"]))


def _bare(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
