"""A lone name on one side: a letter that is given a value, a quantity, or a definition."""

from __future__ import annotations

import re
from dataclasses import replace

from derive.algebra.normal import equal
from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.checker.equality.comparing import compare
from derive.checker.equality.rational import opaque, rational
from derive.checker.finding import Ruling
from derive.checker.named import judge_named, own_name
from derive.checker.named.sizes import judge_size
from derive.checker.rules.numbers import with_values
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import number_text
from derive.checker.scope.definitions import Definition
from derive.checker.scope.scope import Scope
from derive.formula.statement import Side
from derive.formula.tree import Formula, Name, Number, Product
from derive.symbols import BY_NAME


def rule_name(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling:
    """A lone name on one side."""
    side = pair.right if other is pair.b else pair.left
    if not other.names:
        return _bound(name, side, other, pair, scope)
    if pair.relation != ":=":
        is_size = scope.meaning(name) in BY_NAME and not (own_name(name) and {"L", "r_kv"} & {scope.likely(each) for each in other.names})
        for by in (_by_size, _by_definition) if is_size else (_by_size, _by_concept, _by_definition):
            found = by(name, other, pair, scope)
            if found is not None:
                if found.verdict != "wrong":
                    define(name, other, pair, scope)
                return found
    if name in other.names:
        return _recursion(name, other, scope)
    define(name, other, pair, scope)
    return Ruling("definition", "defined", f"defines {name}")


def _recursion(name: str, other: Formula, scope: Scope) -> Ruling:
    """`i = i + 1` is an assignment; `P = P` would be an identity."""
    if equal(Name(name), opaque(other)):
        return Ruling("exact", "equal-formulas", "equal")
    return Ruling("definition", "redefined" if name in scope.definitions else "defined", f"gives {name} another value")


def define(name: str, formula: Formula, pair: Pair, scope: Scope) -> None:
    """The name stands for the formula from here on."""
    if name not in formula.names:
        scope.definitions[name] = Definition(formula, pair.relation)


def _bound(name: str, side: Side, other: Formula, pair: Pair, scope: Scope) -> Ruling:
    """A name and a number: the value of a letter, or the value of what the name stands for."""
    value = value_of(other, {})
    checked = _value_of_definition(name, side, pair, scope)
    scope.bind(name, value)
    return checked or Ruling("definition", "bound", f"{name} is {number_text(value)}", stated=side.text.strip())


def _value_of_definition(name: str, side: Side, pair: Pair, scope: Scope) -> Ruling | None:
    """The number beside the formula that the name was said to be; said only where they agree."""
    definition = scope.definitions.get(name)
    if definition is None or side.claim is None or not all(scope.values_of(each) for each in definition.formula.names):
        return None
    for values in scope.combinations(definition.formula.names):
        made = Computed(value_of(definition.formula, values), True)
        found = judge_numbers(made, side.claim, loose=pair.loose)
        if found.verdict not in ("wrong", "approximation"):
            return with_values(found, side, values)
    return None


def _by_size(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling | None:
    """The name is a size that others tie."""
    found = judge_size(name, other, scope)
    return replace(found, stated=pair.right.text) if found is not None else None


def _by_concept(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling | None:
    """The name, or the words that it stands for, name a quantity."""
    label = pair.statement.labels.get(name, name)
    side = pair.right if other is pair.b else pair.left
    with_width = _with_byte_width(side.formula, side.units)
    formula = rational(with_width, side.units, {}) if with_width is not side.formula else other
    if (unit := _UNIT_SAID.search(pair.statement.remark)) is not None:  # "M (GiB) = … / 1024^3"
        formula = Product((Number(UNIT_VALUES[unit.group()]), formula))
    found = judge_named(label, f"{pair.equation.label} {pair.statement.remark}", formula, scope, loose=pair.loose)
    return replace(found, stated=other.text) if found is not None else None


_UNIT_SAID = re.compile(r"(?<![A-Za-z])[KMGT]i?B(?![A-Za-z])")


def _with_byte_width(formula: Formula, units: frozenset[str]) -> Formula:
    """`… × 2 bytes` says how wide an element is: the 2 is the vocabulary's `bytes_per_element`, whatever b means in the text."""
    if not isinstance(formula, Product):
        return formula
    factors = tuple(Name("bytes_per_element") if _is_byte_width(factor, units) else factor for factor in formula.factors)
    return Product(factors) if factors != formula.factors else formula


def _is_byte_width(factor: Formula, units: frozenset[str]) -> bool:
    match factor:
        case Product((Number(1 | 2 | 4), Name("bytes" | "byte" | "Bytes" | "字节" as unit))):
            return unit in units
    return False


def _by_definition(name: str, other: Formula, pair: Pair, scope: Scope) -> Ruling | None:
    """The name was defined before: the same, or another definition."""
    before = scope.definitions.get(name)
    if before is None:
        return None
    names = tuple(dict.fromkeys((*before.formula.names, *other.names)))
    found = compare(before.formula, other, lambda: scope.known(names, pair.statement), loose=pair.loose)
    if found.verdict in ("exact", "exact-under", "approximation"):
        return found
    define(name, other, pair, scope)
    return Ruling("definition", "redefined", f"{name} was {before.formula.text} before", before.formula.text, stated=other.text)
