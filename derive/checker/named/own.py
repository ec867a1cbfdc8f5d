"""The engine's own names (`P_block`, `F_token`, `M_kv`): a formula for one is compared with every kind of block the engine knows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from itertools import combinations
from typing import Any

from derive.algebra.normal import equal
from derive.algebra.sampling import value_there
from derive.checker.equality.rational import opaque, rational
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name
from derive.quantities import DEFAULT_VARIANT, Variant, is_spelled_like_a_quantity, quantities, quantity_or_none

_OTHER = {"ffn": "two-matrix", "norm": "layer"}
_SAID = {
    "bias": "biases",
    "head_bias": "a bias in the head",
    "ffn": "two-matrix FFN",
    "norm": "LayerNorm",
    "positions": "learned positions",
    "shared": "shared experts",
}
_WIDTHS: dict[str, dict[str, Formula]] = {
    "d_q = d": {"d_q": Name("d")},
    "d_q = h d_h": {"d_q": Name("h") * Name("d_h")},
    "d_kv = h_kv d_h": {"d_kv": Name("h_kv") * Name("d_h")},
}


Kind = tuple[str, ...]
"""The options in which a kind of block differs from the default one."""

_GPT2: Kind = ("bias", "ffn", "norm")


def _kinds(names: tuple[str, ...]) -> Iterator[Kind]:
    """The kinds of block that make a difference to these quantities: the default one, GPT-2's, then with one option changed, two, …"""
    yield ()
    changing = _changing(names)
    usual = tuple(option for option in _GPT2 if option in changing)
    yield usual
    for size in range(1, len(changing) + 1):
        yield from (kind for kind in combinations(changing, size) if kind != usual)


@cache
def _changing(names: tuple[str, ...]) -> Kind:
    """The options that change one of the quantities."""
    return tuple(
        field.name
        for field in fields(Variant)
        if any(_formula(name, (field.name,), general) != _formula(name, (), general) for name in names for general in (False, True))
    )


@cache
def _formula(name: str, kind: Kind, general: bool = False) -> Formula | None:
    """The closed form of a quantity in a kind of block, under the quantity's own conditions or before them."""
    options: dict[str, Any] = {option: _OTHER.get(option, True) for option in kind}
    quantity = quantity_or_none(name, replace(DEFAULT_VARIANT, **options))
    return rational(quantity.general if general else quantity.formula, frozenset(), {}) if quantity is not None else None


def _said(kind: Kind, assumed: str) -> tuple[str, ...]:
    return tuple(_SAID[option] for option in kind) + ((assumed,) if assumed else ())


def own_equal(left: Formula, right: Formula) -> tuple[str, ...] | None:
    """What must be assumed for the sides to be equal once the engine's closed forms stand for its names; None where they are not."""
    names = tuple(sorted(name for name in {*left.names, *right.names} if is_spelled_like_a_quantity(name) and name in quantities()))
    for assumed, widths in _ways().items():
        for kind in _kinds(names):
            values = {**_widths_there(assumed), **{name: _value(name, kind, False, assumed) for name in names}}
            if _differ(value_there(left, values), value_there(right, values)):
                continue
            forms = {name: formula for name in names if (formula := _formula(name, kind)) is not None}
            if _equal(*(side.substitute(forms).substitute(widths) for side in (left, right))):
                return _said(kind, assumed)
    return None


def own_match(name: str, formula: Formula) -> tuple[str, ...] | None:
    """What must be assumed for `formula` to be the quantity: nothing, a kind of block, a width; None where it is not the quantity."""
    for assumed, widths in _ways().items():
        value = value_there(formula, _widths_there(assumed))
        for kind in _kinds((name,)):
            for general in (False, True):
                known = _formula(name, kind, general)
                if known is None or _differ(value, _value(name, kind, general, assumed)):
                    continue
                if _equal(known.substitute(widths), formula.substitute(widths)):
                    return _said(kind, assumed)
    return None


def _ways() -> dict[str, dict[str, Formula]]:
    """Without an assumption about widths, then with each of them."""
    return {"": {}, **_WIDTHS}


@cache
def _widths_there(assumed: str) -> dict[str, Any]:
    """The values of the widths that an assumption ties, at the place where formulas are sampled."""
    return {name: value_there(formula) for name, formula in _ways()[assumed].items()}


@cache
def _value(name: str, kind: Kind, general: bool, assumed: str) -> Any:
    """The value of a quantity at that place."""
    formula = _formula(name, kind, general)
    return value_there(formula, _widths_there(assumed)) if formula is not None else None


def _differ(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one != other)


def _equal(left: Formula, right: Formula) -> bool:
    try:
        return equal(opaque(left), opaque(right))
    except DeriveError:
        return False


def own_formula(name: str) -> Formula:
    """The closed form of the default kind of block."""
    formula = _formula(name, ())
    assert formula is not None
    return formula
