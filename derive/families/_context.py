"""Which layers attend to the whole context and which through a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.model import Layers, layers
from derive.config import Config
from derive.families._layer_kinds import ATTENTION, SLIDING, each, listed
from derive.families._sizes import Sizes
from derive.formula.tree import Dim
from derive.records import dataclass

Sliding: TypeAlias = Callable[[int], bool]
"""A family's rule: whether layer 0, 1, … looks through the window."""


@dataclass(frozen=True, slots=True)
class SpanKeys:
    """Where a configuration says which layers slide: the list of kinds, the two kinds' names in it, and the window."""

    kinds: str = "layer_types"
    full: str = "full_attention"
    sliding: str = "sliding_attention"
    window: str = "sliding_window"


USUAL = SpanKeys()


def span_sizes(config: Config, L: int, sliding: Sliding, keys: SpanKeys = USUAL) -> dict[str, int]:
    """The window w, and L_F full and L_S sliding layers where there are both; nothing where all layers are full.

    The config's own `layer_types` decide, else the family's rule for layer 0, 1, …. A window of 0 is none.
    """
    given = listed(config, L, keys.kinds, words={keys.full: ATTENTION, keys.sliding: SLIDING})
    slide = given.count(SLIDING) if given else _sliding_layers(config, L, sliding)
    if not slide or config.values.get(keys.window) == 0:
        return {}
    window = {"w": config.size("w", keys.window)}
    return window if slide == L else {"L_F": L - slide, "L_S": slide, **window}


def never(layer: int) -> bool:
    """No layer slides."""
    return False


def all_but_every(config: Config, pattern: int) -> Sliding:
    """Every layer slides but the last of each `sliding_window_pattern` (`pattern` where the key is missing)."""
    step = config.number("sliding_window_pattern", default=pattern)
    return lambda layer: (layer + 1) % step != 0


def where_set(config: Config) -> Sliding:
    """All layers slide where `sliding_window` is a number, none where it is null or missing."""
    return lambda layer: config.has("sliding_window")


def _sliding_layers(config: Config, L: int, sliding: Sliding) -> int:
    return 0 if sliding is never else sum(map(sliding, each(config, L)))


def context_layers(s: Sizes) -> tuple[Layers, ...]:
    """Softmax attention between tokens, in every layer, as wide as each kind of layer looks."""
    if "w" not in s:
        return (layers(s.L, _softmax(s)),)
    if "L_S" not in s:
        return (layers(s.L, _softmax(s, s.w)),)
    return layers(s.L_F, _softmax(s)), layers(s.L_S, _softmax(s, s.w))


def _softmax(s: Sizes, window: Dim | None = None) -> Component:
    return softmax_attention(s.d_q, s.d_kv, window=window)
