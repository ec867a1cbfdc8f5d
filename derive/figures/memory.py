"""Figures of memory: weights, training state, activations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.architecture.tensor import Use
from derive.costs import over, whole
from derive.costs.activations import LayerShape, Recompute, layer_activations
from derive.costs.memory import ONE_DEVICE, Sharing, training_scheme, training_state
from derive.costs.parameters import parameters
from derive.dtypes import dtype
from derive.figures.cache import cache_figures
from derive.figures.figure import Figure, Request
from derive.reading import ReadModel


def memory_figures(read: ReadModel, asked: Request) -> Iterator[Figure]:
    """Weights in their format; training state under a scheme; activations where a context is given."""
    form = dtype(asked.dtype or "bf16")
    stored = whole(over(read.numbers, parameters))
    yield Figure(
        "weights", form.size(stored), "bytes", f"all {stored:,} parameters, not only the active ones, in {form.name}: {form.counts}"
    )
    if asked.context is not None:
        cache = next(figure for figure in cache_figures(read, asked.context, asked) if figure.name == "bytes")
        together = form.size(stored) + int(cache.value)
        yield Figure("weights_and_cache", together, "bytes", "what generation holds, without workspace; windows observed")
    if asked.train:
        yield from _training(read, asked, stored)


def _training(read: ReadModel, asked: Request, stored: int) -> Iterator[Figure]:
    scheme = training_scheme(asked.train or "")
    state = training_state(stored, scheme, asked.sharing)
    yield Figure("bytes_per_parameter", scheme.bytes_per_parameter, "bytes", f"{scheme.name}: {scheme.spelled}")
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


def _activations(read: ReadModel, n: int, batch: int) -> Iterator[Figure]:
    """Activations of all layers, for models whose layers are ordinary attention and a dense feed-forward network."""
    s = read.sizes
    if not {"d_q", "d_kv", "m"} <= s.keys() or "E" in s:
        return
    shape = LayerShape(n, batch, s["d"], s["d_q"], s["d_kv"], s["h"], s["m"])
    dense = next(component for _, component in read.numbers.components if component.name == "feed-forward")
    facts: dict[str, Any] = {
        "gated": sum(tensor.use is Use.MATMUL for tensor in dense.tensors) == 3,
        "dropout": read.family == "gpt2",
    }
    kinds: tuple[tuple[str, bool, Recompute, str], ...] = (
        ("activations", False, "none", "everything kept, the n × n attention tensors among it"),
        ("activations_fused", True, "none", "fused attention keeps no n × n tensor"),
        ("activations_selective", False, "selective", "the core of attention is recomputed"),
        ("activations_full", False, "full", "only each layer's input is kept"),
    )
    masks = "with dropout masks" if facts["dropout"] else "no dropout"
    for name, fused, recompute, meaning in kinds:
        each: Any = layer_activations(shape, fused=fused, recompute=recompute, **facts)
        yield Figure(name, s["L"] * each, "bytes", f"{s['L']} layers, {batch:,} × {n:,} tokens, 16 bits, {masks}: {meaning}")
