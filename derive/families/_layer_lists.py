"""Lists of a configuration that speak of its layers one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from derive.config import Config, shown

MOST_LAYERS = 100_000
"""Where layers are looked at one by one, there are at most so many."""


def layer_count(config: Config) -> int:
    """L, where each layer is looked at: not more than any model has."""
    L = config.size("L")
    if L > MOST_LAYERS:
        config.fail(f"num_hidden_layers={L} layers are more than any model has")
    return L


def each(config: Config, L: int) -> range:
    """The layers one by one, where there are not more than any model has."""
    if L > MOST_LAYERS:
        config.fail(f"{L} layers are more than any model has")
    return range(L)


Words: TypeAlias = Mapping[str, str] | tuple[str, ...]
"""The words that a list may have, each with the kind that it names, or each a kind itself."""


def listed(config: Config, L: int | None, *keys: str, words: Words, what: str = "layer") -> list[str] | None:
    """The kinds that the first of `keys` lists, one for each of the L layers; None where there is no list.

    `what` the kinds are of stands in the errors.
    """
    for key in keys:
        if config.has(key):
            return _kinds(config, key, L, dict(words if isinstance(words, Mapping) else zip(words, words, strict=True)), what)
    return None


def _kinds(config: Config, key: str, L: int | None, words: Mapping[str, str], what: str) -> list[str]:
    values = config.values[key]
    if not isinstance(values, list) or not values or (L is not None and len(values) != L):
        config.fail(f"{key} must be a list of {L or 'the'} kinds of {what}, one for each layer")
    unknown = [value for value in values if not isinstance(value, str) or value not in words]
    if unknown:
        config.fail(f"{key} names an unknown kind of {what}, {shown(unknown[0])}; known: {', '.join(words)}")
    return [words[value] for value in values]


def layer_numbers(config: Config, key: str) -> list[int] | None:
    """A list of layer numbers; None where the key is missing or null."""
    if not config.has(key):
        return None
    values = config.values[key]
    if not isinstance(values, list) or not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        config.fail(f"{key} must be a list of layer numbers")
    return values


def layer_numbers_below(config: Config, key: str, L: int) -> list[int]:
    """A list of layer numbers, each from 0 on and below the number of layers; nothing where the key is not there."""
    values = layer_numbers(config, key) or []
    beyond = [value for value in values if not 0 <= value < L]
    if beyond:
        config.fail(f"{key} names layer {shown(beyond[0])}, but there are {L} layers, counted from 0")
    return values
