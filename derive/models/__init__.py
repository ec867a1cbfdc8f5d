"""Models that ship with derive: one JSON file each, with its name, its source and its configuration."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from derive.config import Config


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A released model: the name people use, where its sizes were published, and its configuration."""

    name: str
    source: str
    config: Config


def bundled_models() -> tuple[BundledModel, ...]:
    """Every bundled model, by file name."""
    return tuple(_load(path) for path in sorted(_folder().glob("*.json")))


def bundled_model(name: str) -> BundledModel | None:
    """The model of that name, whatever its case, spaces and dashes; None where there is none."""
    wanted = _bare(name)
    for path in _folder().glob("*.json"):
        if _bare(path.stem) == wanted:
            return _load(path)
    return None


def _folder() -> Path:
    return Path(__file__).parent


def _load(path: Path) -> BundledModel:
    entry = json.loads(path.read_text(encoding="utf-8"))
    return BundledModel(entry["name"], entry["source"], Config(entry["config"], entry["name"]))


def _bare(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
