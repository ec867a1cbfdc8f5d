"""From what a user names to a model: a path, a folder, a dictionary, bytes or the name of a bundled model.

A family is read twice: with the sizes as numbers, and as symbols for the closed forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from os.path import exists
from typing import Any, TypeAlias

from derive.architecture.model import Model
from derive.config import Config, config_of, parse_config, read_config
from derive.errors import ConfigError
from derive.families import family_of
from derive.families._sizes import Sizes, symbols
from derive.families._text import text_part

Source: TypeAlias = str | PathLike[str] | Mapping[str, Any] | Config


@dataclass(frozen=True, slots=True)
class ReadModel:
    """A configured model, its sizes by symbol, and its two readings."""

    name: str
    config: Config
    family: str
    sizes: Mapping[str, int]
    numbers: Model
    formulas: Model
    notes: tuple[str, ...]


def read_model(source: Source) -> ReadModel:
    """The model that a configuration describes.

    Raises `ConfigError` where the configuration is malformed or its architecture is not known.
    """
    name, given = _configuration(source)
    config, about_parts = text_part(given)
    family = family_of(config)
    sizes = family.sizes(config)
    read = ReadModel(
        name=name,
        config=config,
        family=config.model_type,
        sizes=sizes,
        numbers=family.model(Sizes(sizes), config),
        formulas=family.model(symbols(sizes), config),
        notes=(*about_parts, *family.notes(config)),
    )
    config.check_all_read()
    return read


def read_bytes(content: bytes, name: str) -> ReadModel:
    """The model configured by the bytes of a JSON document, such as standard input."""
    return read_model(parse_config(content, name))


def _configuration(source: Source) -> tuple[str, Config]:
    """The configuration, and the name by which the model is called."""
    if isinstance(source, Config):
        return source.source, source
    if not isinstance(source, (str, PathLike)):
        return "config", config_of(source, "config")
    path = fspath(source)
    if _there(path):
        config = read_config(path)
        return path, config
    if path.endswith(".json") or "/" in path or "\\" in path or path.startswith("."):
        raise ConfigError(f"{path}: no such file")
    from derive.models import bundled_model

    model = bundled_model(path)
    if model is not None:
        return model.name, model.config
    raise ConfigError(f"{path[:80]}: neither a file nor a bundled model; 'derive models' lists the models")


def _there(path: str) -> bool:
    """Whether the path leads to something; a name that no file can have does not."""
    try:
        return bool(path) and exists(path)
    except ValueError:
        return False
