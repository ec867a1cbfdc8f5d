"""Two sides that are numbers, perhaps once the values of letters are put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.dimensions import dimension_of, dimension_of_claim
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.checker.arithmetic.written import with_binary_prefixes, written_numbers
from derive.checker.finding import Ruling
from derive.checker.rules.computations import bounds, rule_computations
from derive.checker.rules.conversions import defines_unit, is_conversion
from derive.checker.rules.pair import Pair
from derive.checker.rules.running import goes_on
from derive.checker.rules.wording import values_said
from derive.checker.scope.scope import Scope
from derive.formula.statement import Claim, Side, Written
from derive.formula.tree import Formula, children
from derive.formula.units import UNITS

_NO_VALUES: Mapping[str, Fraction] = MappingProxyType({})


def rule_numbers(pair: Pair, scope: Scope, values: Mapping[str, Fraction] = _NO_VALUES) -> Ruling:
    """Both sides are numbers, perhaps once the values of letters are put in."""
    with_units = {**UNIT_VALUES, **values}
    if (running := goes_on(pair, with_units)) is not None:
        return running
    stated, computed = (pair.right, pair.left) if pair.right.claim is not None or pair.left.claim is None else (pair.left, pair.right)
    if stated.claim is None:
        return _unless_about_units(rule_computations(pair, with_units), pair)
    made = _computed(computed, stated.claim, values, with_units)
    found = _unless_about_units(judge_numbers(made, stated.claim, loose=pair.loose), pair)
    if found.verdict == "definition":
        return found
    if found.verdict == "wrong" and pair.loose and stated is pair.left:
        near = rule_computations(pair, with_units)
        if near.verdict != "wrong":
            return near
    ruling = replace(with_values(found, stated, values), computed=made.value)
    if found.verdict == "wrong":
        return _with_remark(ruling, stated.claim, scope)
    line = _follows(computed, stated.claim, values, scope)
    if line is not None:
        return replace(ruling, verdict="wrong", code="follows", message=f"follows from the number in line {line}, which is wrong")
    return ruling


def _unless_about_units(found: Ruling, pair: Pair) -> Ruling:
    """The ruling; what is wrong as a result may say what a unit is, or be a conversion."""
    if found.verdict == "wrong" and defines_unit(pair):
        return Ruling("definition", "bound", "says what a unit is")
    if found.verdict == "wrong" and is_conversion(pair):
        return Ruling("definition", "bound", "a conversion of units")
    return found


def _with_remark(ruling: Ruling, claim: Claim, scope: Scope) -> Ruling:
    """The ruling on a wrong number, with what that number would be right for."""
    if ruling.code != "number":
        return ruling
    from derive.checker.named.fits import fits_elsewhere

    return replace(ruling, message=ruling.message + fits_elsewhere(claim, scope))


def _computed(side: Side, claim: Claim, values: Mapping[str, Fraction], with_units: Mapping[str, Fraction]) -> Computed:
    """The side that is worked out, beside a claim."""
    has_unit = bool(side.units) or _scaled(side.formula)
    return Computed(
        value_of(side.formula, with_units),
        has_unit,
        lambda: bounds(side.formula, with_units),
        (lambda: _without_units(side, values)) if _units_differ(side, claim) else None,
        (lambda: _in_binary(side, values)) if has_unit else None,
    )


def with_values(found: Ruling, stated: Side, values: Mapping[str, Fraction]) -> Ruling:
    """The ruling on two numbers, with what was stated and the values that were put in."""
    given = f" with {values_said(values)}" if values else ""
    return replace(found, message=found.message + given, stated=stated.text.strip())


def _units_differ(computed: Side, claim: Claim) -> bool:
    """Whether units are written loosely.

    The sides measure different things as they stand, `4 bytes / (1024^3 GB) = 7.92 GB`; or the other factor is in billions,
    `70 × 4 bytes = 280 GB`.
    """
    plain = all(UNITS[word].factor == 1 for word in computed.units if word in UNITS)
    return plain or dimension_of(computed.formula, computed.units) != dimension_of_claim(claim)


def _in_binary(computed: Side, values: Mapping[str, Fraction]) -> Fraction:
    formula, units = with_binary_prefixes(computed.formula, computed.units)
    return value_of(formula, {**units, **values})


def _without_units(computed: Side, values: Mapping[str, Fraction]) -> Fraction:
    """The value of the bare numbers, where units are written in ways that do not fit together."""
    return value_of(computed.formula, {**dict.fromkeys(computed.units, Fraction(1)), **values})


def _scaled(formula: Formula) -> bool:
    """Whether a number in it has a scale: 7B."""
    if isinstance(formula, Written):
        return bool(formula.scale)
    return any(_scaled(child) for child in children(formula))


def _follows(computed: Side, claim: Claim, values: Mapping[str, Fraction], scope: Scope) -> int | None:
    """The line of an earlier wrong number that stands in the computed side, where the right one would lead elsewhere."""
    used = [Fraction(number.value) for number in written_numbers(computed.formula)] + list(values.values())
    for value in used:
        line, right = scope.wrong.get(value, (0, None))
        if not line or abs(value) < 100:
            continue
        if right is None or not right or not value:
            return line
        shifted = value_of(computed.formula, {**UNIT_VALUES, **values}) * right / value
        if judge_numbers(Computed(shifted, True), claim, loose=False).verdict == "wrong":
            return line
    return None
