"""What a checkpoint that keeps everything stores beside the parameters of the model, item by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from derive.architecture.component import Component
from derive.architecture.embeddings import head, token_embedding
from derive.architecture.model import Model
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import Use, matrix
from derive.config import Config
from derive.costs import Cost, whole
from derive.costs.parameters import buffers, parameters
from derive.families._sizes import Sizes
from derive.formula.tree import Dim

Repeated: TypeAlias = tuple[tuple[Dim, Component], ...]
"""Components with the number of layers that each stands in."""

PARAMETERS, CORRECTION, PREDICTION = "parameters", "routing correction", "prediction layers"
TWICE = "tied head, stored twice"
COPIES, SCALES = "copies of embedding and head", "quantisation scales"
MEANING: Mapping[str, str] = {
    PARAMETERS: "the total above",
    TWICE: "only where a checkpoint stores the embedding once more, as the head",
    CORRECTION: "biases of routing, moved by load balancing and not by a gradient",
    PREDICTION: "multi-token prediction: blocks, projections and norms",
    COPIES: "stored once more for the prediction layers, though they are the model's own",
    SCALES: "one for each block of quantised weights",
    "total": "elements that are stored",
}

_COPIED = ("token embedding", "output head")
_QUANTISED = frozenset(("attention", "latent attention", "indexer", "feed-forward", "routed experts", "shared experts"))
_KEPT = frozenset(("W_I",))
"""Matrices within them that stay as they are: the weights of an indexer's heads."""


def stored(config: Config, model: Model, further: Repeated) -> dict[str, int]:
    """Elements by kind, and their total; nothing where no `further` layers, scales or second head can stand beside the model."""
    parts = (*model.components, *further)
    copies = tuple(part for part in further if part[1].name in _COPIED)
    twice, scales = _tied_head(model), scale_count(config, parts)
    if not (further or twice or scales):
        return {}
    items = {
        PARAMETERS: _summed(model.components, parameters),
        TWICE: twice,
        CORRECTION: _summed(parts, buffers),
        PREDICTION: _summed(further, parameters) - _summed(copies, parameters),
        COPIES: _summed(copies, parameters),
        SCALES: scales,
    }
    return {name: size for name, size in items.items() if size} | {"total": sum(items.values())}


def prediction_layers(s: Sizes, count: int, *block: Component, copies: bool = False) -> Repeated:
    """Layers that predict further tokens: a block, the projection of the token and the state before, and five norms.

    With `copies`, each is stored with the embedding and the head beside it, which are the model's own.
    """
    projection = Component("projection", "P_proj", (matrix("W_proj", 2 * s.d, s.d),))
    ends = (token_embedding(s.V, s.d), head(s.V, s.d, 2)) if copies else ()
    return tuple((count, part) for part in (*block, rms_norm(s.d, copies=5), projection, *ends)) if count else ()


def scale_count(config: Config, components: Iterable[tuple[Dim, Component]]) -> int:
    """Scales of the quantised matrices [elements], one a block; 0 where none are.

    Blocks of a stated size: the matrices of attention, feed-forward and experts. MXFP4: 32 weights in a row of a routed expert.
    """
    quantisation = config.values.get("quantization_config")
    match quantisation if isinstance(quantisation, dict) else {}:
        case {"weight_block_size": [int(rows), int(columns)]} if rows > 0 and columns > 0:
            block, quantised = (rows, columns), _QUANTISED
        case {"quant_method": "mxfp4"}:
            block, quantised = (1, 32), frozenset(("routed experts",))
        case _:
            return 0
    return sum(whole(layers) * _scales(part, block) for layers, part in components if part.name in quantised)


def _tied_head(model: Model) -> int:
    """Elements of the output matrix where it is the embedding, and so not stored by itself."""
    tensors = (tensor for _, part in model.components for tensor in part.tensors)
    return sum(whole(tensor.size) for tensor in tensors if tensor.use is Use.OUTPUT and tensor.copies == 0)


def _summed(parts: Iterable[tuple[Dim, Component]], cost: Cost) -> int:
    return sum(whole(layers * cost(part)) for layers, part in parts)


def _scales(part: Component, block: tuple[int, int]) -> int:
    """Scales of one layer's copies of a component."""
    each = 0
    for tensor in part.tensors:
        if tensor.use is Use.MATMUL and tensor.name not in _KEPT:
            columns, rows = (whole(length) for length in tensor.shape)  # stored as (output, input)
            each += -(-rows // block[0]) * -(-columns // block[1])
    return whole(part.copies) * each
