"""Fields that differ from layer to layer: `per_layer_config` gives some layers values of their own.

By path they are lists with an element for each layer, null where a layer has the common value: `per_layer_config.head_dim`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from derive.atlas.expression import Fields, Places

KEY = "per_layer_config"


def own_path(path: str) -> str:
    """Where the layers' own values of a field are: `text_config.per_layer_config.head_dim`."""
    outer, dot, name = path.rpartition(".")
    return f"{outer}{dot}{KEY}.{name}"


def common_path(path: str) -> str:
    """The field that some layers have their own values of."""
    return path.replace(f"{KEY}.", "", 1)


def is_own(path: str) -> bool:
    """Whether a path is that of layers' own values."""
    return f".{KEY}." in f".{path}"


def lists_of(by_layer: Mapping[Any, Any], layers: int) -> dict[str, list[Any]]:
    """The object of a config.json, `{"5": {"head_dim": 512}}`, as a list for each field."""
    own = {int(layer): values for layer, values in by_layer.items() if str(layer).isdigit() and isinstance(values, Mapping)}
    names = dict.fromkeys(name for values in own.values() for name in values)
    count = max(layers, *own, 0) if own else 0
    return {name: [own.get(layer, {}).get(name) for layer in range(min(count, 10_000) + 1)][: max(layers, 1)] for name in names}


def at(fields: Fields, place: Places, own: Iterable[str]) -> Fields:
    """The fields as the layer in this place has them; `own` are the paths of layers' own values."""
    if not place:
        return fields
    values = {common_path(path): _element(fields[path], place[0]) for path in own}
    values = {path: value for path, value in values.items() if value is not None}
    return _Overlaid(fields, values) if values else fields


def _element(values: Any, index: int) -> Any:
    return values[index] if isinstance(values, list) and index < len(values) else None


class _Overlaid(Mapping[str, Any]):
    """Fields, some of them with other values."""

    def __init__(self, fields: Fields, values: Mapping[str, Any]) -> None:
        self.fields, self.values_of_layer = fields, values

    def __getitem__(self, path: str) -> Any:
        return self.values_of_layer[path] if path in self.values_of_layer else self.fields[path]

    def __iter__(self) -> Any:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)
