"""Costs: what a component costs, as a number or as a formula. One function each; adding one touches no component."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from derive.architecture.component import Component
from derive.architecture.model import Layers, Model, Part
from derive.formula.tree import Dim, total

Cost: TypeAlias = Callable[[Component], Dim]
"""A cost takes one component and counts all its copies in one layer."""


def whole(value: Dim) -> int:
    """The integer that a cost came to, where the sizes were numbers."""
    if isinstance(value, int):
        return value
    raise TypeError(f"not a whole number: {value}")


def over(part: Part | Model, cost: Cost) -> Dim:
    """The cost of a component, of layers or of a whole model, in the order of its parts, layer kind by layer kind."""
    if isinstance(part, Component):
        return cost(part)
    if isinstance(part, Layers):
        each: Dim = total(cost(component) for component in part.components)
        return part.count * each
    together: Dim = total(over(inner, cost) for inner in part.parts)
    return together
