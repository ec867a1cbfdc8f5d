"""Costs: what a component costs, as a number or as a formula. One function each; adding one touches no component.

A cost takes one component; `over` sums it over a model, layer kind by layer kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from derive.architecture.component import Component, stored
from derive.architecture.model import Layers, Model, Part
from derive.architecture.tensor import Tensor, Use
from derive.formula.tree import Dim, total

Cost: TypeAlias = Callable[[Component], Dim]


def parameters(component: Component) -> Dim:
    """Stored learnable scalars [elements]. Buffers are not among them; a shared tensor counts where it is stored."""
    return component.copies * stored(component.tensors)


def buffers(component: Component) -> Dim:
    """Stored elements that no gradient moves, such as the routing correction [elements]."""
    return component.copies * _sizes(component, Use.BUFFER)


def active_parameters(component: Component) -> Dim:
    """Stored learnable scalars of the modules that one token passes through, whole modules [elements].

    Counts   k of the E routed experts; the whole router; both ends of the vocabulary as stored.
    """
    return component.active * stored(component.tensors)


def active_without_input_embedding(component: Component) -> Dim:
    """Active parameters without the tables that are only looked up [elements].

    Counts   the output matrix once, also where it is tied to the input embedding; no token or position lookup.
    """
    each: Dim = total(_without_lookup(tensor) for tensor in component.tensors)
    return component.active * each


def non_embedding(component: Component) -> Dim:
    """Stored learnable scalars outside the embedding, the positions and the output head [elements]."""
    if any(tensor.use in (Use.LOOKUP, Use.OUTPUT) for tensor in component.tensors):
        return 0
    return parameters(component)


def active_non_embedding(component: Component) -> Dim:
    """Active parameters outside the embedding, the positions and the output head [elements]."""
    if any(tensor.use in (Use.LOOKUP, Use.OUTPUT) for tensor in component.tensors):
        return 0
    return active_parameters(component)


def linear_parameters(component: Component) -> Dim:
    """P_lin: the weight matrices of the layers that multiply one token's hidden state [elements].

    Counts   attention, active feed-forward and router matrices; no norms, biases, lookups or output head.
    """
    return component.active * _sizes(component, Use.MATMUL)


def over(part: Part | Model, cost: Cost) -> Dim:
    """The cost of a component, of layers or of a whole model, in the order of its parts."""
    if isinstance(part, Component):
        return cost(part)
    if isinstance(part, Layers):
        each: Dim = total(cost(component) for component in part.components)
        return part.count * each
    whole: Dim = total(over(inner, cost) for inner in part.parts)
    return whole


def _sizes(component: Component, use: Use) -> Dim:
    sizes: Dim = total(tensor.size for tensor in component.tensors if tensor.use is use)
    return sizes


def _without_lookup(tensor: Tensor) -> Dim:
    if tensor.use in (Use.LOOKUP, Use.BUFFER):
        return 0
    return tensor.size if tensor.use is Use.OUTPUT else tensor.copies * tensor.size
