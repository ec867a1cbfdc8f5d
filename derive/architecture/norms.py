"""Normalisation: RMSNorm and LayerNorm."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import vector
from derive.formula.tree import Dim


def rms_norm(d: Dim, *, copies: Dim = 1, name: str = "norms", symbol: str = "P_norm") -> Component:
    """RMSNorm: one scale per channel, d elements a norm.

    x: (n, d) -> y: (n, d)

    Source   Zhang and Sennrich 2019, arXiv:1910.07467, section 3.
    """
    return Component(name, symbol, (vector("g", d),), copies)


def layer_norm(d: Dim, *, copies: Dim = 1, bias: bool = True, name: str = "norms", symbol: str = "P_norm") -> Component:
    """LayerNorm: a scale and, with `bias`, a shift per channel: 2d elements a norm.

    x: (n, d) -> y: (n, d)

    Source   Ba et al. 2016, arXiv:1607.06450, section 3.
    """
    return Component(name, symbol, (vector("g", d), *((vector("b", d),) if bias else ())), copies)
