"""SmolLM3: LLaMA blocks, some without positions; the head is tied."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import Sliding, never
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._layer_kinds import layer_numbers
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; with `use_sliding_window` the layers without rotary positions look through the window."""
    return dense_sizes(config, tied=True, sliding=_without_positions(config))


def model(s: Sizes, config: Config) -> Model:
    """SmolLM3: every `no_rope_layer_interval`-th layer has no positions, which changes no tensor.

    Source   Hugging Face 2025, the SmolLM3 announcement.
    """
    facts = Facts(bias=attention_bias(config), mlp_bias=config.flag("mlp_bias", False))
    return decoder_of("smollm3", s, facts)


def _without_positions(config: Config) -> Sliding:
    if not config.flag("use_sliding_window", False) or not config.has("sliding_window"):
        return never
    rotary, interval = layer_numbers(config, "no_rope_layers"), config.number("no_rope_layer_interval", default=4)
    if rotary is None:
        return lambda layer: (layer + 1) % interval == 0
    return lambda layer: layer < len(rotary) and not rotary[layer]


__all__ = ["model", "notes", "sizes"]
