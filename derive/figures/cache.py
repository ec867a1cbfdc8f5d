"""Figures of the key/value cache."""

from __future__ import annotations

from collections.abc import Iterator

from derive.costs import over, whole
from derive.costs.cache import cache_elements, cache_per_token, expanded_cache_per_token, reserved_elements
from derive.dtypes import Dtype, dtype
from derive.figures.figure import Figure, Request
from derive.reading import ReadModel


def cache_figures(read: ReadModel, n: int, asked: Request) -> Iterator[Figure]:
    """Elements and bytes kept of a context of n tokens, for the whole batch."""
    form, batch = _format(asked), asked.batch
    per_token = whole(over(read.numbers, cache_per_token))
    expanded = whole(over(read.numbers, expanded_cache_per_token))
    latent, windows = expanded != per_token, "w" in read.sizes
    kept = "the compressed vector and the rotary key" if latent else "keys and values"
    bounds = (", sliding layers within their window" if windows else "") + (", and constant states" if _has_states(read) else "")
    held = f"{batch:,} × {n:,} tokens{bounds}"
    each = per_token * form.bytes
    yield Figure("elements_per_token", per_token, "elements", f"{kept} of one token in every layer")
    yield Figure("bytes_per_token", int(each) if each.denominator == 1 else float(each), "bytes", f"{form.name}: {form.counts}")
    yield Figure("elements", batch * _elements(read, n), "elements", held)
    yield Figure("bytes", cache_bytes(read, n, asked), "bytes", held)
    reserved = whole(reserved_elements(read.numbers, n))
    yield Figure("reserved_bytes", form.size(reserved * batch), "bytes", "an engine that reserves every layer's share of all tokens")
    if latent:
        yield Figure("expanded_bytes", form.size(expanded * n * batch), "bytes", "latent attention with keys and values kept expanded")


def cache_bytes(read: ReadModel, n: int, asked: Request) -> int:
    """Bytes kept of a context of n tokens in each sequence of the batch [bytes]."""
    return _format(asked).size(asked.batch * _elements(read, n))


def _has_states(read: ReadModel) -> bool:
    return any(whole(component.context.state) for _, component in read.numbers.components if component.context)


def _elements(read: ReadModel, n: int) -> int:
    return whole(over(read.numbers, lambda component: cache_elements(component, n)))


def _format(asked: Request) -> Dtype:
    """The cache's own format; quantised weights do not quantise it."""
    return dtype("bf16" if asked.cache_dtype is None else asked.cache_dtype)
