"""Two sides that are numbers, perhaps once the values of letters are put in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from derive.checker.arithmetic import NEAR, Computed, Judgement, judge_numbers
from derive.checker.dimensions import dimension_of, dimension_of_claim
from derive.checker.ruling import Pair, Ruling, number_text, values_said, written_numbers
from derive.checker.scope import Scope
from derive.checker.values import UNIT_VALUES, Interval, interval_of, value_of, with_binary_prefixes
from derive.errors import DeriveError
from derive.formula.claims import claim_of
from derive.formula.statement import Claim, Side, Written
from derive.formula.tree import Formula, Product, Quotient, children
from derive.formula.units import UNITS


def rule_numbers(pair: Pair, scope: Scope, values: dict[str, Fraction] | None = None) -> Ruling:
    """Both sides are numbers, perhaps once the values of letters are put in."""
    with_units = {**UNIT_VALUES, **(values or {})}
    sides = (pair.left, pair.right)
    stated, computed = (sides[1], sides[0]) if sides[1].claim is not None or sides[0].claim is None else sides
    if (goes_on := _goes_on(pair, with_units)) is not None:
        return goes_on
    if stated.claim is None and _is_conversion(pair) and _two_expressions(pair, with_units).verdict == "wrong":
        return Ruling("definition", "bound", "a conversion of units")
    if stated.claim is None:
        found_two = _two_expressions(pair, with_units)
        return Ruling("definition", "bound", "says what a unit is") if found_two.verdict == "wrong" and _defines_unit(pair) else found_two
    value = value_of(computed.formula, with_units)
    has_unit = bool(computed.units) or _scaled(computed.formula)
    made = Computed(
        value,
        has_unit,
        lambda: _interval(computed.formula, with_units),
        (lambda: _without_units(computed, values)) if _units_differ(computed, stated.claim) else None,
        (lambda: _in_binary(computed, values)) if has_unit else None,
    )
    found = judge_numbers(made, stated.claim, loose=pair.loose)
    if found.verdict == "wrong" and _defines_unit(pair):
        return Ruling("definition", "bound", "says what a unit is")
    if found.verdict == "wrong" and _is_conversion(pair):
        return Ruling("definition", "bound", "a conversion of units")
    if found.verdict == "wrong" and pair.loose and stated is pair.left and (loose := _two_expressions(pair, with_units)).verdict != "wrong":
        return loose
    ruling = replace(from_judgement(found, stated, values), computed=value)
    if found.verdict != "wrong" and (follows := _follows(computed, stated.claim, values, scope)) is not None:
        return replace(ruling, verdict="wrong", code="follows", message=f"follows from the number in line {follows}, which is wrong")
    if found.code == "number" and found.verdict == "wrong" and stated.claim is not None:
        from derive.checker.fits import fits_elsewhere

        return replace(ruling, message=ruling.message + fits_elsewhere(stated.claim, scope))
    return ruling


_LEAST_RUNNING = 10
"""A smaller rounded number at the beginning of a side may be any number: `1/3`."""


def _goes_on(pair: Pair, values: dict[str, Fraction]) -> Ruling | None:
    """`4 + 4 = 8 bytes × 1.5B = 12 GB`: the right side begins with the result of the left one and goes on from it."""
    right = pair.right.formula
    claim = _leading(right, pair.right.units)
    if claim is None or pair.right.claim is not None:
        return None
    left = value_of(pair.left.formula, values)
    bare = pair.left.claim.value if pair.left.claim is not None else left
    for value in (left, bare):
        found = judge_numbers(Computed(value, True), claim, loose=pair.loose)
        if found.verdict in ("exact", "exact-under") or (found.verdict == "rounded" and claim.value >= _LEAST_RUNNING):
            return Ruling(
                found.verdict, found.code, "a running computation: the result is the first number of what follows", pair.right.text
            )
    return None


def _leading(formula: Formula, units: frozenset[str]) -> Claim | None:
    """The number that a formula begins with, with its unit."""
    while isinstance(formula, (Product, Quotient)):
        found = claim_of(formula, set(units))
        if found is not None:
            return found
        formula = formula.factors[0] if isinstance(formula, Product) else formula.numerator
    return claim_of(formula, set(units))


def _is_conversion(pair: Pair) -> bool:
    """`1 inch = 2.54 cm`, `3 days = 576 GPU hours`: two numbers that count different things, or stand in running text without a unit."""
    if not all(_is_measure(side) for side in (pair.left, pair.right)):
        return False
    if pair.left.claim is None or pair.right.claim is None:
        return True
    if pair.left.claim.full and not pair.left.units and not pair.left.claim.scale and (not pair.first or pair.left.claim.value >= 10**4):
        return False  # a result written in full, not something that is counted
    kinds = [_kind(side) for side in (pair.left, pair.right)]
    known = {"bytes", "time", "flops", "rate"}
    if set(kinds) == {"flops", "rate"}:
        return False
    if "other" in kinds or (kinds[0] != kinds[1] and set(kinds) & known):
        return True
    return pair.equation.kind != "math" and not set(kinds) & known and pair.left.claim.scale in ("", pair.right.claim.scale)


def _is_measure(side: Side) -> bool:
    """Whether a side is one number with units."""
    return (
        len(written_numbers(side.formula)) == 1 and set(side.formula.names) <= side.units and (side.claim is not None or bool(side.units))
    )


def _kind(side: Side) -> str:
    """What the unit of a side measures."""
    return next((UNITS[word].kind for word in sorted(side.units)), "count")


def _units_differ(computed: Side, claim: Claim) -> bool:
    """Whether units are written loosely: the sides measure different things as they stand, `4 bytes / (1024^3 GB) = 7.92 GB`; or the

    other factor is in billions, `70 × 4 bytes = 280 GB`.
    """
    plain = all(UNITS[word].factor == 1 for word in computed.units if word in UNITS)
    return plain or dimension_of(computed.formula, computed.units) != dimension_of_claim(claim)


def _in_binary(computed: Side, values: dict[str, Fraction] | None) -> Fraction:
    formula, units = with_binary_prefixes(computed.formula, computed.units)
    return value_of(formula, {**units, **(values or {})})


def _without_units(computed: Side, values: dict[str, Fraction] | None) -> Fraction:
    """The value of the bare numbers, where units are written in ways that do not fit together."""
    return value_of(computed.formula, {**dict.fromkeys(computed.units, Fraction(1)), **(values or {})})


def from_judgement(found: Judgement, stated: Side, values: dict[str, Fraction] | None) -> Ruling:
    given = f" with {values_said(values)}" if values else ""
    return Ruling(
        found.verdict,
        found.code,
        found.message + given,
        stated.text.strip(),
        found.right,
        None,
        found.assumptions,
        (),
        found.relative_error,
    )


def _interval(formula: Formula, values: dict[str, Fraction]) -> Interval | None:
    try:
        return interval_of(formula, values)
    except DeriveError:
        return None


def _scaled(formula: Formula) -> bool:
    """Whether a number in it has a scale: 7B."""
    if isinstance(formula, Written):
        return bool(formula.scale)
    return any(_scaled(child) for child in children(formula))


def _defines_unit(pair: Pair) -> bool:
    """`1 GB = 2^30 bytes` says what a GB is."""
    claim = pair.left.claim
    named = any(letter.isalpha() for letter in pair.left.text)
    return claim is not None and claim.value == 1 and named and pair.first


def _two_expressions(pair: Pair, values: dict[str, Fraction]) -> Ruling:
    """Two products or sums of numbers."""
    left, right = value_of(pair.left.formula, values), value_of(pair.right.formula, values)
    shown = number_text(left)
    if left == right or abs(left - right) * 10**12 <= abs(left):
        return Ruling("exact", "equal-numbers", f"both are {shown}")
    bare = [value_of(side.formula, {**values, **dict.fromkeys(side.units, Fraction(1))}) for side in (pair.left, pair.right)]
    for unit in _implied(pair):
        if left == right * unit or left * unit == right:
            return Ruling("exact", "equal-numbers", f"both are {shown}, the unit implied on one side")
        if (ratio := max(left, right) / min(left, right) / unit if min(left, right) > 0 else None) and abs(ratio - 1) <= NEAR:
            return Ruling("approximation", "near", "near, the unit implied on one side", relative_error=ratio - 1)
    if bare[0] == bare[1] and pair.left.units | pair.right.units:
        return Ruling("exact", "equal-numbers", f"both are {number_text(bare[0])}, whatever the units")
    error = (right - left) / left if left else None
    near = error is not None and abs(error) <= Fraction(1, 10 if pair.loose else 200)
    one, other = _interval(pair.left.formula, values), _interval(pair.right.formula, values)
    overlap = one is not None and other is not None and one.low <= other.high and other.low <= one.high
    if near and (pair.loose or overlap):
        return Ruling("approximation", "near", f"near: {shown} and {number_text(right)}", relative_error=error)
    message = f"the left side is {shown}, the right side {number_text(right)}"
    return Ruling("wrong", "number", message, number_text(right), shown, relative_error=error)


def _implied(pair: Pair) -> Iterator[Fraction]:
    """The units of the side that has some, where the other has none: `40 GB + 8 GB = 40 + 8`."""
    if bool(pair.left.units) != bool(pair.right.units):
        yield from {UNITS[word].factor for word in pair.left.units | pair.right.units if word in UNITS} - {Fraction(1)}


def _follows(computed: Side, claim: Claim, values: dict[str, Fraction] | None, scope: Scope) -> int | None:
    """The line of an earlier wrong number that stands in the computed side, where the right one would lead elsewhere."""
    used = [Fraction(number.value) for number in written_numbers(computed.formula)] + list((values or {}).values())
    for value in used:
        line, right = scope.wrong.get(value, (0, None))
        if not line or abs(value) < 100:
            continue
        if right is None or not right or not value:
            return line
        shifted = value_of(computed.formula, {**UNIT_VALUES, **(values or {})}) * right / value
        if judge_numbers(Computed(shifted, True), claim, loose=False).verdict == "wrong":
            return line
    return None
