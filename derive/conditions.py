"""What a reader assumes: conditions (`d_kv=d, m=8*d/3`) and sizes (`L=32, d=4096`, or a model's), read and checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.algebra.normal import difference, normal, sign
from derive.errors import FormulaError
from derive.formula.parse import parse_equations
from derive.formula.tree import Formula, Name
from derive.reading import ReadModel, read_model
from derive.symbols import BY_NAME

RELATIONS: tuple[tuple[str, Formula], ...] = (
    ("L", Name("L_D") + Name("L_M")),
    ("L", Name("L_F") + Name("L_S")),
    ("d_q", Name("h") * Name("d_h")),
    ("d_kv", Name("h_kv") * Name("d_h")),
)
"""Sizes that others determine, wherever all of them occur."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers for symbols; `model` is the one whose sizes they are, if any and none of its own was overruled."""

    numbers: Mapping[str, int]
    model: ReadModel | None = None


def read_conditions(text: str) -> dict[str, Formula]:
    """Each symbol with what it stands for.

    Raises `FormulaError` for an unknown symbol, and for a size that cannot be a positive whole number.
    """
    equations = dict(parse_equations(text))
    for symbol, value in equations.items():
        for name in (symbol, *value.names):
            if name not in BY_NAME:
                raise FormulaError(f"unknown symbol '{name}'; 'derive symbols' lists the known ones", text)
        if symbol in value.names and value != Name(symbol):
            raise FormulaError(f"{symbol} is given in terms of itself", text)
        _possible(symbol, value, text)
    _fewer_chosen(equations, text)
    return _resolved(equations, text)


def read_sizes(text: str) -> Sizes:
    """Equations between symbols and whole numbers; the name or path of a model; or a model and then equations."""
    first, _, rest = text.partition(",")
    if "=" in first:
        return Sizes(_numbers(text))
    if not first.strip():
        raise FormulaError("numbers are wanted, as in L=32, or the name of a model", text)
    model = read_model(first.strip())
    more = _numbers(rest) if rest.strip() else {}
    overruled = any(model.sizes.get(symbol, size) != size for symbol, size in more.items())
    return Sizes({**model.sizes, **more}, None if overruled else model)


def check_together(conditions: Mapping[str, Formula], sizes: Sizes, text: str) -> list[str]:
    """Notes on conditions that come to no whole number; `FormulaError` where conditions and sizes contradict each other."""
    notes = []
    numbers = sizes.numbers
    for symbol, value in conditions.items():
        if not set(value.names) <= numbers.keys():
            continue
        worked = Fraction(value.evaluate(numbers))
        if symbol in numbers and worked != numbers[symbol]:
            where = f"{sizes.model.name}, where " if sizes.model else ""
            raise FormulaError(f"{symbol} = {value.text} contradicts {where}{symbol} = {numbers[symbol]}", text)
        if worked.denominator != 1:
            notes.append(f"{symbol} = {value.text} is {worked}, not a whole number")
    known = {**{symbol: value.evaluate({}) for symbol, value in conditions.items() if not value.names}, **numbers}
    check_possible(known, text)
    for symbol, relation in RELATIONS:
        if {symbol, *relation.names} <= known.keys() and known[symbol] != relation.evaluate(known):
            raise FormulaError(f"{symbol} = {known[symbol]} is not {relation.text} = {relation.evaluate(known)}; give both", text)
    return notes


def check_possible(known: Mapping[str, Any], text: str, names: Collection[str] = ()) -> None:
    """`FormulaError` for sizes that cannot be: c above 2, k above E; and for a formula of `names`, w above n or a broken relation."""
    if known.get("c", 1) > 2:
        raise FormulaError("c is 1 (tied) or 2 (not tied)", text)
    if known.get("k", 0) > known.get("E", known.get("k", 0)):
        raise FormulaError(f"k = {known['k']} experts chosen, but E = {known['E']}", text)
    if {"w", "n"} <= set(names) & known.keys() and known["w"] > known["n"]:
        raise FormulaError(f"the closed forms with a window take w ≤ n, not w = {known['w']} and n = {known['n']}", text)
    for symbol, relation in RELATIONS:
        related = {symbol, *relation.names}
        if related <= set(names) & known.keys() and known[symbol] != relation.evaluate(known):
            tie = f"{symbol}={relation.text.replace(' ', '')}"
            raise FormulaError(f"{symbol} is {relation.text}, so they change together; tie them, as in --given '{tie}'", text)


def possible(known: Mapping[str, Any], names: Collection[str]) -> bool:
    """Whether sizes can be, in a formula of `names`."""
    try:
        check_possible(known, "", names)
    except FormulaError:
        return False
    return True


BOUNDS = {"k": "E", "w": "n"}
"""Sizes that others bound from above."""


def check_growing(scaling: Collection[str], conditions: Mapping[str, Formula]) -> None:
    """`FormulaError` for a size that cannot grow without bound, unless what bounds it grows with it."""
    for name in scaling:
        if name == "c":
            raise FormulaError("c is 1 (tied) or 2 (not tied) and does not grow", name)
        bound = BOUNDS.get(name)
        tied = conditions.get(bound) if bound else None
        if bound and bound not in scaling and not (tied and name in tied.names):
            raise FormulaError(f"{name} does not grow beyond {bound}; let {bound} grow, too, as in {name},{bound}->oo", name)


def _resolved(equations: dict[str, Formula], text: str) -> dict[str, Formula]:
    """Conditions that lean on one another put into one another: `d=4096, d_kv=d` gives d_kv = 4096."""
    found = dict(equations)
    for _ in equations:
        leaning = {symbol: value for symbol, value in found.items() if set(value.names) & equations.keys() - {symbol}}
        if not leaning:
            return found
        found |= {symbol: value.substitute(found) for symbol, value in leaning.items()}
        circle = [symbol for symbol, value in found.items() if symbol in value.names and value != Name(symbol)]
        if circle or any(found[symbol] == Name(symbol) for symbol in leaning):
            raise FormulaError("the conditions go in a circle", text)
    return found


def check_window(formula: Formula, conditions: Mapping[str, Formula], numbers: Mapping[str, int]) -> None:
    """`FormulaError` where a closed form with a window is wanted for a context shorter than it."""
    if not {"w", "n"} <= set(formula.names) | conditions.keys() or "w" not in (*formula.names, *conditions):
        return
    w, n = (conditions.get(name, Name(name)).substitute(numbers) for name in ("w", "n"))
    spare = difference(n, w)
    if sign(spare) < 0:
        raise FormulaError(f"the closed forms with a window take w ≤ n, not w = {w.text} and n = {n.text}", formula.text)


def _numbers(text: str) -> dict[str, Any]:
    """Numbers by symbol: whole ones, but that bytes of an element may be a fraction (17/16 in a block format)."""
    numbers: dict[str, Any] = {}
    for symbol, value in read_conditions(text).items():
        if value.names:
            raise FormulaError(f"{symbol} needs a number here; conditions go into --given", text)
        number = Fraction(value.evaluate({}))
        numbers[symbol] = int(number) if number.denominator == 1 else number
    return numbers


def _possible(symbol: str, value: Formula, text: str) -> None:
    """A size is a positive whole number as far as can be told, and c is 1 or 2."""
    form = normal(value)
    positive = bool(form.numerator) and sign(form) >= 0  # as far as can be told
    whole = bool(value.names) or symbol == "b" or Fraction(value.evaluate({})).denominator == 1
    if not (positive and whole):
        raise FormulaError(f"{symbol} must be a positive whole number, not {value.text}", text)
    if symbol == "c" and not value.names and value.evaluate({}) > 2:
        raise FormulaError("c is 1 (tied) or 2 (not tied)", text)


def _fewer_chosen(equations: Mapping[str, Formula], text: str) -> None:
    """No more experts chosen than there are, where that can be told."""
    k, E = equations.get("k", Name("k")), equations.get("E", Name("E"))
    spare = difference(E, k)
    if sign(spare) < 0:
        more = "which is more than E" if Name("E") == E else f"but E = {E.text}"
        raise FormulaError(f"k = {k.text} experts chosen, {more}", text)
