"""Figures of the key/value cache."""

from __future__ import annotations

from collections.abc import Iterator

from derive.costs import over, whole
from derive.costs.cache import cache_elements, cache_per_token, expanded_cache_per_token, reserved_elements
from derive.dtypes import dtype
from derive.figures.figure import Figure, Request
from derive.reading import ReadModel


def cache_figures(read: ReadModel, n: int, asked: Request) -> Iterator[Figure]:
    """Elements and bytes kept of a context of n tokens, for one sequence and for the batch."""
    batch = asked.batch
    form = dtype(asked.cache_dtype or asked.dtype or "bf16")
    per_token = whole(over(read.numbers, cache_per_token))
    elements = whole(over(read.numbers, lambda component: cache_elements(component, n)))
    reserved = whole(reserved_elements(read.numbers, n))
    expanded = whole(over(read.numbers, expanded_cache_per_token))
    bounds = ", windows bound the sliding layers" if elements != reserved else ""
    yield Figure("elements_per_token", per_token, "elements", "keys and values of one token in every layer, head size as configured")
    yield Figure("bytes_per_token", form.size(per_token), "bytes", f"{form.name}: {form.counts}")
    yield Figure("elements", elements, "elements", f"one sequence of {n:,} tokens{bounds}")
    yield Figure(
        "bytes",
        form.size(elements * batch),
        "bytes",
        f"{batch:,} × {n:,} tokens{bounds}",
    )
    yield Figure("reserved_bytes", form.size(reserved * batch), "bytes", "what an engine holds that reserves full pages in every layer")
    if expanded != per_token:
        yield Figure("expanded_bytes", form.size(expanded * n * batch), "bytes", "latent attention with keys and values kept expanded")
