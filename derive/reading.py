"""From what a user names to a model: a path, a folder, a dictionary, bytes or the name of a bundled model.

A family is read twice: with the sizes as numbers, and as symbols for the closed forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from os.path import exists, isdir, join
from typing import Any, TypeAlias

from derive.architecture.model import Model
from derive.config import LARGEST_FILE, Config, config_of, parse_config, read_content
from derive.errors import ConfigError
from derive.families import Family, family_of, has_family, unknown_type
from derive.families._sizes import Sizes, symbols
from derive.families._text import text_part

DRAFT = "_assistant"
"""How the types of draft models end, which read the states of another model."""

FILES = ("config.json", "params.json", "model_config.yaml")
"""What holds the configuration in a folder, the first that is there."""
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
    config, family, about = _understood(given)
    sizes = family.sizes(config)
    read = ReadModel(
        name=name,
        config=config,
        family=config.model_type,
        sizes=sizes,
        numbers=family.model(Sizes(sizes), config),
        formulas=family.model(symbols(sizes), config),
        notes=(*about, *family.notes(config)),
    )
    config.check_all_read()
    return read


def read_bytes(content: bytes, name: str) -> ReadModel:
    """The model configured by the bytes of a JSON document or of arguments, such as standard input."""
    return read_model(_parsed(content, name))


def read_file(path: str) -> Config:
    """The configuration in a file, or in the config.json or params.json of a folder."""
    if isdir(path):
        path = join(path, next((name for name in FILES if exists(join(path, name))), FILES[0]))
    if path.endswith((".yaml", ".yml")):
        raise ConfigError(f"{path}: YAML is not read, since the standard library cannot; write its keys as a JSON object")
    return _parsed(read_content(path), path)


def _parsed(content: bytes, name: str) -> Config:
    """JSON, or Megatron-LM's arguments."""
    if b"--num" in content[:LARGEST_FILE]:
        from derive.formats.arguments import are_arguments, config_of_arguments

        text = content.decode(errors="replace")
        if are_arguments(text):
            return config_of_arguments(text, name)
    return parse_config(content, name)


def _understood(given: Config) -> tuple[Config, Family, tuple[str, ...]]:
    """The configuration as its family reads it, and what is to be said of it; another format, which has no model_type, is translated."""
    if given.values.get("model_type") is None:
        from derive.formats.recognising import recognised

        foreign = recognised(given)
        if foreign is not None:
            return foreign.config, foreign.family, (foreign.note,)
    if str(given.values.get("model_type")).endswith(DRAFT):
        return _traced(given, given, ())  # not the text model of its configuration
    config, about = text_part(given)
    if has_family(config.model_type):
        return config, family_of(config), about
    return _traced(given, config, about)


def _traced(given: Config, config: Config, about: tuple[str, ...]) -> tuple[Config, Family, tuple[str, ...]]:
    """The form that was traced from the implementation: of the text model, else of the whole."""
    from derive.atlas import form_of, traced_types
    from derive.atlas.model import TracedModel

    form = form_of(config.model_type) or form_of(f"{config.model_type}_text")
    if form is None and config is not given:
        form = form_of(given.named_type)
        if form is not None and form.is_of_parts:
            config, about = given, (f"Counted is the whole of {form.model_type}, with the parts that are no language model.",)
    return (config, TracedModel(form, config), about) if form else unknown_type(config, traced_types())


def _configuration(source: Source) -> tuple[str, Config]:
    """The configuration, and the name by which the model is called."""
    if isinstance(source, Config):
        return source.source, source
    if not isinstance(source, (str, PathLike)):
        return "config", config_of(source, "config")
    path = fspath(source)
    if _there(path):
        return path, read_file(path)
    if path.startswith("--"):
        return "arguments", _parsed(path.encode(errors="replace"), "arguments")
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
