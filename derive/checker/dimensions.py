"""What a side with units measures: bytes, seconds, FLOPs per second, …"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from derive.formula.statement import Claim
from derive.formula.tree import Formula, Name, Product, Quotient, Sum
from derive.formula.units import UNITS

Dimension: TypeAlias = "Mapping[str, int]"
"""Exponents of what is measured; what is only counted, tokens and layers, measures nothing."""

_PARTS: Mapping[str, Dimension] = {"bytes": {"bytes": 1}, "time": {"time": 1}, "flops": {"flops": 1}, "rate": {"flops": 1, "time": -1}}


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
    above, *below = [claim.unit] if claim.unit in UNITS else claim.unit.split("/")
    return _joined((_of_unit(above), 1), *((_of_unit(word), -1) for word in below))


def _of_unit(word: str) -> Dimension:
    unit = UNITS.get(word)
    return _PARTS.get(unit.kind, {}) if unit is not None else {}


def _joined(*parts: tuple[Dimension, int]) -> Dimension:
    found: dict[str, int] = {}
    for dimension, sign in parts:
        for name, power in dimension.items():
            found[name] = found.get(name, 0) + sign * power
    return {name: power for name, power in found.items() if power}
