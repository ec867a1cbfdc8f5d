"""What a reader should know about a count, beside the count."""

from __future__ import annotations

from collections.abc import Iterable

from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.architecture.tensor import Use
from derive.config import Config
from derive.costs import whole
from derive.formula.tree import Dim

ROTARY = "Rotary positions have no parameters; a stored inv_freq is a buffer and is not counted."
COUNTED_CORRECTION = "The routing correction is counted: the implementation stores it as a parameter (without a gradient)."
SCALES = "quantization_config: the scales stored beside quantised weights are not parameters."


def notes(config: Config) -> tuple[str, ...]:
    """The notes of a family with rotary positions and nothing else to say."""
    return (ROTARY, *uncounted_prediction(config, "num_nextn_predict_layers"), *quantised(config))


def quantised(config: Config) -> tuple[str, ...]:
    """That scales are not counted, where the weights are quantised."""
    return (SCALES,) if config.has("quantization_config") else ()


def unknown_choice(config: Config) -> tuple[str, ...]:
    """That the active counts are those of all experts, where it is not said how many are chosen."""
    unknown = "num_experts_per_tok is null: what is active is counted with all experts."
    return () if config.has("num_experts_per_tok") else (unknown,)


def uncounted_prediction(config: Config, *keys: str) -> tuple[str, ...]:
    """That layers which predict further tokens are left out, where the configuration names how many there are."""
    for key in keys:
        extra = config.size("L", key, default=0, least=0)
        if extra:
            return (f"{key}={extra}: layers for multi-token prediction are not part of the model and are not counted.",)
    return ()


def block_scales(config: Config, model: Model) -> tuple[str, ...]:
    """How many scales stand beside the weights, where blocks of them are quantised together."""
    count = scale_count(config, model.components)
    return (f"Of such scales a checkpoint stores {count:,}, one for each block of weights.",) if count else ()


def scale_count(config: Config, components: Iterable[tuple[Dim, Component]]) -> int:
    """Scales of the quantised matrices [elements]: those of attention, feed-forward and experts, one a block; 0 where none are."""
    block = _block(config)
    if not block:
        return 0
    return sum(whole(layers) * _scales(part, block) for layers, part in components if part.name in _QUANTISED)


_QUANTISED = frozenset(("attention", "latent attention", "indexer", "feed-forward", "routed experts", "shared experts"))


def _block(config: Config) -> tuple[int, int] | None:
    """Rows and columns of a block."""
    quantisation = config.values.get("quantization_config")
    match quantisation.get("weight_block_size") if isinstance(quantisation, dict) else None:
        case [int(rows), int(columns)] if rows > 0 and columns > 0:
            return rows, columns
    return None


def _scales(part: Component, block: tuple[int, int]) -> int:
    """Scales of one layer's copies of a component."""
    each = 0
    for tensor in part.tensors:
        if tensor.use is Use.MATMUL:
            columns, rows = (whole(length) for length in tensor.shape)  # stored as (output, input)
            each += -(-rows // block[0]) * -(-columns // block[1])
    return whole(part.copies) * each
