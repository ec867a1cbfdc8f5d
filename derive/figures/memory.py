"""Figures of memory: weights, training state, activations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.architecture.component import Component
from derive.architecture.tensor import Use
from derive.costs import over, whole
from derive.costs.activations import LayerShape, Recompute, layer_activations
from derive.costs.memory import ONE_DEVICE, Sharing, training_scheme, training_state
from derive.costs.parameters import parameters
from derive.dtypes import Dtype, dtype
from derive.figures.cache import cache_bytes
from derive.figures.figure import Figure, Request
from derive.reading import ReadModel

_LISTED = {
    "attention", "feed-forward", "norms", "final norm", "token embedding", "learned positions", "output head",
    "attention scores and values",
}  # fmt: skip
"""The components of a model whose activations are derived; layers that mix tokens another way keep other tensors."""


def memory_figures(read: ReadModel, asked: Request) -> Iterator[Figure]:
    """Weights in their format; training state under a scheme; activations where a context is given."""
    form = dtype("bf16" if asked.dtype is None else asked.dtype)
    stored = whole(over(read.numbers, parameters))
    yield Figure("weights", form.size(stored), "bytes", f"all {stored:,} parameters in {form.name}: {form.counts}{_kept_at_16_bits(form)}")
    if asked.context is not None:
        together = form.size(stored) + cache_bytes(read, asked.context, asked)
        yield Figure("weights_and_cache", together, "bytes", "what generation holds, without workspace; windows observed")
    if asked.train is not None:
        yield from _training(read, asked, stored)


def _training(read: ReadModel, asked: Request, stored: int) -> Iterator[Figure]:
    scheme = training_scheme(asked.train or "")
    state = training_state(stored, scheme, asked.sharing)
    yield Figure("bytes_per_parameter", scheme.bytes_per_parameter, "bytes", f"{scheme.name}: {scheme.spelled} ({scheme.source})")
    where = _where(asked.sharing)
    yield Figure("training_weights", state.weights, "bytes", where)
    yield Figure("gradients", state.gradients, "bytes", where)
    yield Figure("optimizer", state.optimizer, "bytes", where)
    yield Figure("training_state", state.total, "bytes", f"{where}; activations come on top")
    if asked.context is not None:
        yield from _activations(read, asked.context, asked.batch)


def _where(sharing: Sharing) -> str:
    if sharing == ONE_DEVICE:
        return "on one device"
    return f"a device's share: ZeRO stage {sharing.zero} over {sharing.data}, tensor {sharing.tensor}, pipeline {sharing.pipeline}"


def _kept_at_16_bits(form: Dtype) -> str:
    """Formats of less than a byte are for matrices; released checkpoints keep the rest as it was."""
    return "; released checkpoints keep embedding, norms and router at 16 bits" if form.bytes < 1 else ""


def _ordinary(components: dict[str, Component]) -> bool:
    """Whether a layer has two norms, and attention without further ones on queries and keys."""
    return components["norms"].copies == 2 and all(tensor.name[:2] in ("W_", "b_") for tensor in components["attention"].tensors)


def _activations(read: ReadModel, n: int, batch: int) -> Iterator[Figure]:
    """Activations of all layers, for layers of ordinary attention, a dense feed-forward network and two norms."""
    s = read.sizes
    components = {component.name: component for _, component in read.numbers.components}
    if not {"attention", "feed-forward", "norms"} <= components.keys() <= _LISTED or "E" in s or not _ordinary(components):
        yield Figure("activations", "not counted", "", "layers of this kind keep other tensors than the derivation lists")
        return
    shape = LayerShape(n, batch, s["d"], s["d_q"], s["d_kv"], s["h"], s["m"])
    gated = sum(tensor.use is Use.MATMUL for tensor in components["feed-forward"].tensors) == 3
    dropout = any(read.config.values.get(key, 0.1) for key in ("attn_pdrop", "resid_pdrop")) if read.family == "gpt2" else False
    kinds: tuple[tuple[str, bool, Recompute, str], ...] = (
        ("activations", False, "none", "all that the layers keep, the n × n attention tensors among it"),
        ("activations_fused", True, "none", "fused attention keeps no n × n tensor"),
        ("activations_selective", False, "selective", "the core of attention is recomputed"),
        ("activations_full", False, "full", "only each layer's input is kept"),
    )
    where = f"{s['L']} layers, undivided, without embedding and logits; 16 bits, {'with dropout masks' if dropout else 'no dropout'}"
    for name, fused, recompute, meaning in kinds:
        each: Any = layer_activations(shape, gated=gated, dropout=dropout, fused=fused, recompute=recompute)
        yield Figure(name, s["L"] * each, "bytes", f"{meaning}; {where}")
