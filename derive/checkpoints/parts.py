"""The part of a model that every tensor of a checkpoint belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from derive.architecture.tensor_names import (
    ATTENTION,
    EMBEDDING,
    EMBEDDING_NORM,
    EXPERTS,
    FEED_FORWARD,
    FINAL_NORM,
    HEAD,
    MIXER,
    NORMS,
    PARTS,
    POSITIONS,
    ROUTER,
    SHARED,
    SHARED_GATE,
    UNKNOWN,
    part_of,
)  # fmt: skip
from derive.errors import CheckpointError

MOST_PATTERNS = 2048
"""Names that differ by more than their numbers; the most of any known model is 200."""
_NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")
LAYER = re.compile(r"\b(?:layers?|blocks?|h|blk|encoders?)\.(\d+)\.")


_PREDICTS = re.compile(r"\b(?:layers|blk)\.(\d+)\.(?:eh_proj|nextn)\b")


def first_prediction_layer(names: Iterable[str]) -> int | None:
    """The first layer that predicts further tokens, where such layers are numbered after the model's own."""
    return min((int(found[1]) for name in names if (found := _PREDICTS.search(name))), default=None)


def layer_of(name: str) -> int | None:
    """The layer that a tensor stands in, where its name says one."""
    found = LAYER.search(name)
    return int(found[1]) if found else None


def parts_by_name(source: str, names: Iterable[str]) -> dict[str, str]:
    """The part of every name; names that differ only by numbers are looked up once.

    Raises `CheckpointError` where there are more kinds of names than any model has.
    """
    patterns = {name: _NUMBER.sub("0", name) for name in names}
    kinds = set(patterns.values())
    if len(kinds) > MOST_PATTERNS:
        raise CheckpointError(f"{source}: {len(kinds):,} kinds of tensor names, more than any model has")
    parts = {pattern: part_of(pattern) for pattern in kinds}
    return {name: parts[pattern] for name, pattern in patterns.items()}


_COMPONENTS = (
    (SHARED_GATE, r"expert gate"), (SHARED, r"shared (expert|feed)"), (EXPERTS, r"expert"), (ROUTER, r"router|routing"),
    (EMBEDDING_NORM, r"embedding norm"), (FINAL_NORM, r"final norm"), (POSITIONS, r"position"), (HEAD, r"head"),
    (EMBEDDING, r"embedding"),
    (MIXER, r"linear attention|delta (net|rule)|state|mamba|convolution|recurren|mixer|matrix memory"),
    (NORMS, r"norm before"), (ATTENTION, r"attention|indexer|time mixing"),
    (FEED_FORWARD, r"feed-forward|mlp|channel mixing|low-rank update"), (NORMS, r"norm"),
)  # fmt: skip


def part_of_component(name: str) -> str:
    """The part that a component of the closed form belongs to."""
    if name in PARTS:
        return name
    for part, pattern in _COMPONENTS:
        if re.search(pattern, name):
            return part
    return UNKNOWN
