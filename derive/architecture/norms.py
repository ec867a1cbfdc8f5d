"""Normalisation: RMSNorm and LayerNorm."""

from __future__ import annotations

from typing import Protocol

from derive.architecture.component import Component
from derive.architecture.tensor import vector
from derive.formula.tree import Dim


class Norm(Protocol):
    """A kind of norm: given the width and how many, the component."""

    def __call__(self, d: Dim, *, copies: Dim = 1, name: str = "norms", symbol: str = "P_norm") -> Component:
        """`copies` such norms of width d."""


def rms_norm(d: Dim, *, copies: Dim = 1, name: str = "norms", symbol: str = "P_norm") -> Component:
    """RMSNorm: one scale per channel, d elements a norm.

    x: (n, d) -> y: (n, d)

    Source   Zhang and Sennrich 2019, arXiv:1910.07467, section 3.
    """
    return Component(name, symbol, (vector("γ", d),), copies)


def layer_norm(d: Dim, *, copies: Dim = 1, bias: bool = True, name: str = "norms", symbol: str = "P_norm") -> Component:
    """LayerNorm: a scale and, with `bias`, a shift per channel: 2d elements a norm.

    x: (n, d) -> y: (n, d)

    Source   Ba et al. 2016, arXiv:1607.06450, section 3.
    """
    return Component(name, symbol, (vector("γ", d), *((vector("β", d),) if bias else ())), copies)


def layer_norm_without_shift(d: Dim, *, copies: Dim = 1, name: str = "norms", symbol: str = "P_norm") -> Component:
    """LayerNorm with a scale and no shift: d elements a norm.

    x: (n, d) -> y: (n, d)

    Source   Ba et al. 2016, arXiv:1607.06450, section 3.
    """
    return layer_norm(d, copies=copies, bias=False, name=name, symbol=symbol)
