"""The engine's own names (`P_block`, `F_token`, `M_kv`): a formula for one is compared with every kind of block the engine knows."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from itertools import combinations
from typing import Any

from derive.algebra.normal import equal
from derive.algebra.sampling import value_there
from derive.checker.rational import opaque, rational
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name
from derive.quantities import DEFAULT_VARIANT, Variant, is_spelled_like_one, quantities

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


def own_name(label: str) -> str | None:
    """The engine's quantity of that name, whatever its case and the commas in its subscript."""
    wanted = label.replace(",", "_").replace("{", "").replace("}", "").replace(" ", "").lower()
    if not is_spelled_like_one(wanted):
        return None
    return next((name for name in quantities() if name.lower() == wanted), None)


def is_own(name: str) -> bool:
    """Whether a name is spelled like one of the engine's quantities, and not like a letter that texts use for something else."""
    return is_spelled_like_one(name) and name in quantities() and name != "N_kv"


@cache
def _kinds(name: str) -> tuple[tuple[Formula, tuple[str, ...]], ...]:
    """The closed forms of a quantity over the kinds of block, the default first, with what is said of each."""
    options = [field.name for field in fields(Variant)]
    changing = [
        option
        for option in options
        if any(_formula(name, (option,), general=each) != _formula(name, (), general=each) for each in (False, True))
    ]
    found: list[tuple[Formula, tuple[str, ...]]] = []
    for size in range(len(changing) + 1):
        for chosen in combinations(changing, size):
            for general in (False, True):
                formula = _formula(name, chosen, general=general)
                if formula is not None and all(formula != known for known, _ in found):
                    found.append((formula, tuple(_SAID[option] for option in chosen)))
    return tuple(found)


def _formula(name: str, changed: tuple[str, ...], *, general: bool = False) -> Formula | None:
    """The closed form of a kind of block, under the quantity's own conditions or before them."""
    options: dict[str, Any] = {option: _OTHER.get(option, True) for option in changed}
    variant = replace(DEFAULT_VARIANT, **options)
    quantity = quantities(variant).get(name)
    return rational(quantity.general if general else quantity.formula, frozenset(), {}) if quantity is not None else None


@cache
def _put_in(names: tuple[str, ...]) -> tuple[tuple[dict[str, Formula], tuple[str, ...]], ...]:
    """For each kind of block, the closed forms of these quantities, the default first; kinds without a difference once."""
    options = [field.name for field in fields(Variant)]
    changing = [option for option in options if any(_formula(name, (option,)) != _formula(name, ()) for name in names)]
    found: list[tuple[dict[str, Formula], tuple[str, ...]]] = []
    for size in range(len(changing) + 1):
        for chosen in combinations(changing, size):
            forms = {name: formula for name in names if (formula := _formula(name, chosen)) is not None}
            found.append((forms, tuple(_SAID[option] for option in chosen)))
    return tuple(found)


def own_equal(left: Formula, right: Formula) -> tuple[str, ...] | None:
    """What must be assumed for the sides to be equal once the engine's closed forms stand for its names; None where they are not."""
    names = tuple(sorted(name for name in {*left.names, *right.names} if is_spelled_like_one(name) and name in quantities()))
    for assumed, widths in _ways().items():
        for forms, said in _put_in(names):
            values = _values(tuple(forms.items()), assumed)
            if _differ(value_there(left, values), value_there(right, values)):
                continue
            if _equal(*(side.substitute(forms).substitute(widths) for side in (left, right))):
                return (*said, assumed) if assumed else said
    return None


@cache
def _values(forms: tuple[tuple[str, Formula], ...], assumed: str) -> dict[str, Any]:
    """The values of quantities, and of the widths that an assumption ties, at the place where formulas are sampled."""
    widths = {name: value_there(formula) for name, formula in _ways()[assumed].items()}
    return widths | {name: value_there(formula, widths) for name, formula in forms}


def _differ(one: Any, other: Any) -> bool:
    return one is not None and other is not None and bool(one != other)


def _equal(left: Formula, right: Formula) -> bool:
    try:
        return equal(opaque(left), opaque(right))
    except DeriveError:
        return False


def _ways() -> dict[str, dict[str, Formula]]:
    """Without an assumption about widths, then with each of them."""
    return {"": {}, **_WIDTHS}


def own_match(name: str, formula: Formula) -> tuple[str, ...] | None:
    """What must be assumed for `formula` to be the quantity: nothing, a kind of block, a width; None where it is not the quantity."""
    for assumed, widths in _ways().items():
        value = value_there(formula, _values((), assumed))
        for (known, said), there in zip(_kinds(name), _values_of_kinds(name, assumed), strict=True):
            if not _differ(value, there) and _equal(known.substitute(widths), formula.substitute(widths)):
                return (*said, assumed) if assumed else said
    return None


@cache
def _values_of_kinds(name: str, assumed: str) -> tuple[Any, ...]:
    """The values of the kinds of a quantity at the place where formulas are sampled."""
    return tuple(value_there(known, _values((), assumed)) for known, _ in _kinds(name))


def own_formula(name: str) -> Formula:
    """The closed form of the default kind of block."""
    return _kinds(name)[0][0]
