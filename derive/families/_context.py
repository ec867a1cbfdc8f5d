"""Which layers attend to the whole context and which through a window."""

from __future__ import annotations

from collections.abc import Callable

from derive.architecture.component import Component
from derive.architecture.context import softmax_attention
from derive.architecture.model import Layers, layers
from derive.config import Config
from derive.families._sizes import Sizes
from derive.formula.tree import Dim

FULL, SLIDING = "full_attention", "sliding_attention"


def span_sizes(config: Config, L: int, sliding: Callable[[int], bool]) -> dict[str, int]:
    """The window w, and L_F full and L_S sliding layers where there are both; nothing where all layers are full.

    The config's own `layer_types` decide, else the family's rule for layer 0, 1, ….
    """
    kinds = _kinds(config, L) or [SLIDING if sliding(layer) else FULL for layer in range(L)]
    slide = kinds.count(SLIDING)
    if not slide:
        return {}
    window = {"w": config.size("w", "sliding_window")}
    return window if slide == L else {"L_F": L - slide, "L_S": slide, **window}


def context_layers(s: Sizes) -> tuple[Layers, ...]:
    """Softmax attention between tokens, in every layer, as wide as each kind of layer looks."""
    if "w" not in s:
        return (layers(s.L, _softmax(s)),)
    if "L_S" not in s:
        return (layers(s.L, _softmax(s, s.w)),)
    return layers(s.L_F, _softmax(s)), layers(s.L_S, _softmax(s, s.w))


def _softmax(s: Sizes, window: Dim | None = None) -> Component:
    return softmax_attention(s.d_q, s.d_kv, window=window)


def _kinds(config: Config, L: int) -> list[str] | None:
    if not config.has("layer_types"):
        return None
    kinds = config.values["layer_types"]
    if not isinstance(kinds, list) or len(kinds) != L:
        config.fail(f"layer_types must be a list of {L} kinds of attention, one for each layer")
    unknown = [kind for kind in kinds if kind not in (FULL, SLIDING)]
    if unknown:
        config.fail(f"layer_types names an unknown kind of attention: {str(unknown[0])[:40]!r}")
    return kinds
