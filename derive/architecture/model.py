"""A model: layers and what stands around them, in the order in which its closed form is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from derive.architecture.component import Component
from derive.formula.tree import Dim
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Layers:
    """Components that stand once in each of `count` layers."""

    count: Dim
    components: tuple[Component, ...]


Part: TypeAlias = Layers | Component


@dataclass(frozen=True, slots=True)
class Model:
    """An ordered sum of parts; layers that differ are counted apart (L_D dense, L_M with experts)."""

    name: str
    parts: tuple[Part, ...]

    @property
    def components(self) -> Iterator[tuple[Dim, Component]]:
        """Every component with the number of layers it stands in."""
        for part in self.parts:
            if isinstance(part, Component):
                yield 1, part
            else:
                yield from ((part.count, component) for component in part.components)

    def abbreviated(self, symbols: tuple[str, ...]) -> Model:
        """The model with the components of these symbols named, not listed: its total reads `L (P_attn + …) + …`."""
        return Model(self.name, tuple(_abbreviated(part, symbols) for part in self.parts))


def layers(count: Dim, *components: Component) -> Layers:
    """`count` equal layers of these components."""
    return Layers(count, components)


def decoder(name: str, *parts: Part) -> Model:
    """A decoder-only model of these parts."""
    return Model(name, parts)


def _abbreviated(part: Part, symbols: tuple[str, ...]) -> Part:
    if isinstance(part, Component):
        return _named(part, symbols)
    return replace(part, components=tuple(_named(component, symbols) for component in part.components))


def _named(component: Component, symbols: tuple[str, ...]) -> Component:
    return component.abbreviated() if component.symbol in symbols else component
