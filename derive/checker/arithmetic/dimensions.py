"""What a side with units measures: bytes, seconds, FLOPs per second, …"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from derive.formula.statement import Claim
from derive.formula.tree import Formula, Name, Product, Quotient, Sum
from derive.formula.units import UNITS

Dimension: TypeAlias = "Mapping[str, int]"
"""Exponents of what is measured; what is only counted, tokens and layers, measures nothing."""

_MEASURED = frozenset(("bytes", "time", "flops"))


def dimension_of(formula: Formula, units: frozenset[str]) -> Dimension:
    """The dimension of a formula; of a sum, that of its first term that has one."""
    match formula:
        case Name(name) if name in units:
            return _of_unit(name)
        case Product(factors):
            return _joined(*((dimension_of(factor, units), 1) for factor in factors))
        case Quotient(above, below):
            return _joined((dimension_of(above, units), 1), (dimension_of(below, units), -1))
        case Sum(terms):
            return next((found for term in terms if (found := dimension_of(term, units))), {})
    return {}


def dimension_of_claim(claim: Claim) -> Dimension:
    """The dimension of a written number's unit: `GB/s` is bytes over time."""
    above, *below = claim.unit.split("/")
    return _joined((_of_unit(above), 1), *((_of_unit(word), -1) for word in below))


def _of_unit(word: str) -> Dimension:
    above, slash, below = word.partition("/")
    if slash:
        return _joined((_of_unit(above), 1), (_of_unit(below), -1))
    unit = UNITS.get(word)
    return {unit.kind: 1} if unit is not None and unit.kind in _MEASURED else {}


def _joined(*parts: tuple[Dimension, int]) -> Dimension:
    found: dict[str, int] = {}
    for dimension, sign in parts:
        for name, power in dimension.items():
            found[name] = found.get(name, 0) + sign * power
    return {name: power for name, power in found.items() if power}
