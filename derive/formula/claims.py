r"""What the digits of a side claim, where the side is one written number: `6.44\times10^9`, `350 GB`, `-3\%`, `2 GB/s`."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from fractions import Fraction

from derive.formula.statement import Claim, Written
from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient
from derive.formula.units import UNITS

_LARGEST_POWER = 60


def claim_of(formula: Formula, units: AbstractSet[str]) -> Claim | None:
    """The claim of a written number, with a power of ten and a unit or without; None for any other side."""
    if isinstance(formula, Written):
        return _claim(formula, 1, 0, "")
    if not isinstance(formula, Product):
        return None
    written: Written | None = None
    sign, power, unit = 1, 0, ""
    for factor in _flat(formula):
        exponent = _power_of_ten(factor) if written is not None else None
        if isinstance(factor, Written) and written is None:
            written = factor
        elif isinstance(factor, Number) and factor.value == -1:
            sign = -1
        elif exponent is not None:
            power += exponent
        elif not unit and _is_unit(factor, units):
            unit = "/".join(factor.names)
        else:
            return None
    return _claim(written, sign, power, unit) if written is not None else None


def _flat(product: Product) -> list[Formula]:
    """The factors, and those of a product among them."""
    return [inner for factor in product.factors for inner in (factor.factors if isinstance(factor, Product) else (factor,))]


def _power_of_ten(factor: Formula) -> int | None:
    """The exponent of `10^9`."""
    if isinstance(factor, Power) and isinstance(factor.base, Number) and factor.base.value == 10:
        exponent = factor.exponent
        if isinstance(exponent, Number) and isinstance(exponent.value, int) and abs(exponent.value) <= _LARGEST_POWER:
            return exponent.value
    return None


def _is_unit(factor: Formula, units: AbstractSet[str]) -> bool:
    if isinstance(factor, Quotient):
        return _is_unit(factor.numerator, units) and _is_unit(factor.denominator, units)
    return isinstance(factor, Name) and factor.name in units


def _claim(written: Written, sign: int, power: int, unit: str) -> Claim:
    value, resolution = Fraction(written.value * sign), Fraction(1 if written.resolution is None else written.resolution)
    if power:
        shift = Fraction(10) ** power
        value, resolution = value * shift, resolution * shift
    above, _, below = unit.partition("/")
    if below and all(UNITS[word].kind == "count" for word in below.split("/") if word in UNITS):
        unit = above  # per parameter, per token
    in_full = written.resolution is None and power == 0 and (unit not in UNITS or UNITS[unit].factor == 1)
    return Claim(value, resolution, written.scale, unit, in_full)
