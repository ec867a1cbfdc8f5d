"""A model: layers and what stands around them, in the order in which its closed form is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from derive.architecture.component import Component
from derive.formula.tree import Dim


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

    def abbreviated(self) -> Model:
        """The model whose components are named instead of counted: its total reads `L (P_attn + P_ffn + 2 P_norm) + …`."""
        return Model(self.name, tuple(_abbreviated(part) for part in self.parts))


def layers(count: Dim, *components: Component) -> Layers:
    """`count` equal layers of these components."""
    return Layers(count, components)


def decoder(name: str, *parts: Part) -> Model:
    """A decoder-only model of these parts."""
    return Model(name, parts)


def _abbreviated(part: Part) -> Part:
    if isinstance(part, Component):
        return part.abbreviated()
    return replace(part, components=tuple(component.abbreviated() for component in part.components))
