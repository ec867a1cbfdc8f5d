"""The named closed forms: what the book derives and what `derive show` prints."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from derive.errors import FormulaError
from derive.quantities.quantity import DEFAULT_VARIANT, Counted, Listed, Quantity, Variant
from derive.symbols import is_spelled_like_a_quantity

__all__ = [
    "DEFAULT_VARIANT",
    "Counted",
    "Listed",
    "Quantity",
    "Variant",
    "is_spelled_like_a_quantity",
    "quantities",
    "quantity",
    "quantity_or_none",
]


@cache
def quantities(variant: Variant = DEFAULT_VARIANT) -> Mapping[str, Quantity]:
    """Every named quantity of a kind of block, by name; worked out once for each kind."""
    return MappingProxyType({quantity.name: quantity for group in _GROUPS for quantity in _group(group, variant)})


def quantity_or_none(name: str, variant: Variant = DEFAULT_VARIANT) -> Quantity | None:
    """The quantity of exactly that name; only the groups up to its own are worked out."""
    every = (quantity for group in _GROUPS for quantity in _group(group, variant))
    return next((quantity for quantity in every if quantity.name == name), None)


_GROUPS = ("parameters", "compute", "memory")


@cache
def _group(group: str, variant: Variant) -> tuple[Quantity, ...]:
    """The quantities of one module."""
    if group == "parameters":
        from derive.quantities.parameters import block_quantities, model_quantities, part_quantities

        return (*part_quantities(variant), *block_quantities(variant), *model_quantities(variant))
    if group == "compute":
        from derive.quantities.compute import compute_quantities

        return tuple(compute_quantities(variant))
    from derive.quantities.memory import memory_quantities

    return tuple(memory_quantities(variant))


def quantity(name: str, variant: Variant = DEFAULT_VARIANT) -> Quantity:
    """The quantity of that name, whatever its case; `FormulaError` where there is none."""
    known = quantities(variant)
    for each in known.values():
        if each.name.lower() == name.lower():
            return each
    raise FormulaError(f"unknown quantity; known: {', '.join(known)}", name)
