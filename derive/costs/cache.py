"""What generation keeps of the tokens before: the key/value cache and constant states."""

from __future__ import annotations

from typing import Any

from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.costs import over
from derive.costs.flops import bounded
from derive.formula.tree import Dim


def cache_per_token(component: Component) -> Dim:
    """Elements kept of one context token in one layer [elements per token]: 2 h_kv d_h; latent r_kv + d_r.

    Counts   a layer with a window like any other, since every new token adds to it while the context is short.
    """
    context = component.context
    if context is None:
        return 0
    return context.absorbed.cache if context.absorbed else context.cache


def expanded_cache_per_token(component: Component) -> Dim:
    """The same where latent attention keeps expanded keys and values: h (d_n + d_r + d_v) [elements per token]."""
    return component.context.cache if component.context else 0


def cache_elements(component: Component, n: Dim) -> Dim:
    """Elements kept of a context of n tokens in one layer [elements]; a window bounds them, a state is constant."""
    context = component.context
    if context is None:
        return 0
    kept = n if context.window is None else bounded(context.window, n)
    return cache_per_token(component) * kept + context.state


def reserved_elements(model: Model, n: int) -> Any:
    """Elements that an engine holds which reserves pages of one size for all n tokens in every layer that has a cache.

    Counts   the largest layer's elements per token for all such layers, windows ignored; constant states once.
    """
    cached: list[tuple[Any, Any]] = [(layers, cache_per_token(component)) for layers, component in model.components]
    page = max(size for _, size in cached)
    states: Any = over(model, lambda component: component.context.state if component.context else 0)
    return sum(layers for layers, size in cached if size) * page * n + states
