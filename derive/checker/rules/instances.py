"""A formula with letters on one side, a number on the other: checked where the document gives the letters values."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from derive.algebra import polynomial
from derive.algebra.normal import normal
from derive.checker.arithmetic.values import claim_value, value_of
from derive.checker.equality.unify import PutIn, numbers_put_in
from derive.checker.finding import Ruling
from derive.checker.rules.numbers import rule_numbers
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import number_text, values_said
from derive.checker.scope.definitions import put_in
from derive.checker.scope.scope import Scope
from derive.errors import DeriveError
from derive.formula.read import read_all
from derive.formula.statement import Side, Statement
from derive.formula.tree import Formula, Name, Number, Product

_CONDITION = re.compile(
    r"(?:\b(?:when|if|until|at|solve|solving|set|setting|crossover|such that|find|once|unless|suppose|assume|let)"
    r"|令|当|若|解|假设|设|满足|使得?)\s*(?:is|for|that|we have|有)?\s*(?:at)?\s*$",
    re.IGNORECASE,
)

_TO_BE_SOLVED = re.compile(r"\bsolv(?:e|ed|ing) for\b|求解", re.IGNORECASE)


def is_condition(pair: Pair) -> bool:
    """Whether the words before or behind say that the equation is to be solved or assumed, not that it holds."""
    behind = f"{pair.right.note} {pair.statement.remark}"
    return pair.first and bool(_CONDITION.search(pair.equation.label) or _TO_BE_SOLVED.search(behind))


def rule_instance(pair: Pair, scope: Scope) -> Ruling:
    """A formula with letters on one side, a number on the other: checked where the document gives the letters values."""
    found = _evaluated(pair, scope)
    if found.verdict not in ("wrong", "unchecked"):
        return found
    product = _letters_only(pair) and (pair.left.claim or pair.right.claim)
    if product and (pair.loose or found.verdict == "unchecked"):
        _bind_product(pair, scope)
        return Ruling("definition", "bound", "a product of letters is given a value")
    if is_condition(pair) and not (product and not pair.loose):
        return Ruling("definition", "bound", "a condition on the letters")
    return found


def _evaluated(pair: Pair, scope: Scope) -> Ruling:
    """The formula with the letters' values put in, against the number."""
    letters = pair.a if pair.a.names else pair.b
    needed = needed_names(letters)
    given = {name: value for name, value in _values_beside(pair).items() if name in needed}
    given |= scope.products_in(letters, [name for name in needed if not scope.values_of(name)])
    missing = [name for name in needed if name not in given and not scope.values_of(name)]
    if missing:
        return _by_ties(pair, letters, scope) or _unknown_values(pair, scope, missing)
    pair = _without(pair, set(pair.names) - set(needed))
    first: Ruling | None = None
    for values in scope.combinations(tuple(name for name in pair.names if name not in given)):
        found = rule_numbers(pair, scope, {**values, **given})
        if found.verdict != "wrong" or found.code == "follows":
            return found
        first = first or found
    assert first is not None
    return _rebinding(pair, scope) or first


def _sides(pair: Pair) -> tuple[Side, Side]:
    """The side with letters, and the one with numbers alone."""
    return (pair.left, pair.right) if pair.a.names else (pair.right, pair.left)


def _without(pair: Pair, needless: set[str]) -> Pair:
    """The pair with 1 for the letters that cancel."""
    if not needless:
        return pair
    ones: dict[str, Formula] = {name: Number(1) for name in needless}
    left, right = (replace(side, formula=side.formula.substitute(ones)) for side in (pair.left, pair.right))
    return replace(pair, left=left, right=right, a=pair.a.substitute(ones), b=pair.b.substitute(ones))


def _by_ties(pair: Pair, letters: Formula, scope: Scope) -> Ruling | None:
    """`4DNH/(4DNH + 3DF) = 1/4` with `F = 4D` and `D = NH`: what the document ties makes it a number."""
    ties = {name: each.formula for name, each in scope.definitions.items()} | scope.tied_beside()
    used = {name: value for name, value in ties.items() if name in letters.names and name not in value.names}
    tied = put_in(letters, used)
    if not used or needed_names(tied):
        return None
    left, right = (replace(side, formula=tied) if side.formula.names else side for side in (pair.left, pair.right))
    found = rule_numbers(replace(pair, left=left, right=right), scope, dict.fromkeys(tied.names, Fraction(1)))
    said = ", ".join(f"{name} = {value.text}" for name, value in used.items())
    return replace(found, message=f"{found.message} with {said}")


def _rebinding(pair: Pair, scope: Scope) -> Ruling | None:
    """`4d = 4·512`: numbers put in that are far from the letters' earlier values are values of their own."""
    letters, numbers = _sides(pair)
    made = numbers_put_in(letters.formula, numbers.formula) if numbers.claim is None else None
    if made is None or made.slips:
        return None
    for name, value in made.values.items():
        known = scope.values_of(name)
        if known and value not in known and min(abs(value / each - 1) for each in known if each) < Fraction(1, 20):
            return None
    return _bound(made, scope)


def _bound(made: PutIn, scope: Scope) -> Ruling:
    """The letters have from here on the values that were put in for them."""
    for name, value in made.values.items():
        scope.bind(name, value)
    return Ruling("definition", "bound", f"numbers put in: {values_said(made.values)}")


def _bind_product(pair: Pair, scope: Scope) -> None:
    """The product of the letters, not one of them, has the value."""
    letters, number = (pair.a, pair.b) if pair.a.names else (pair.b, pair.a)
    if isinstance(letters, Product) and _letters_only(pair):
        scope.products[frozenset(letters.names)] = value_of(number, {})


def needed_names(formula: Formula) -> tuple[str, ...]:
    """The letters that a rational formula depends on: `2HT²(D/H)` does not depend on H."""
    try:
        form = normal(formula)
        above, below = polynomial.cancelled(form.ring, form.numerator, form.denominator)
    except DeriveError:
        return formula.names
    found = {name for terms in (above, below) for key in terms for name, _ in form.ring.exponents(key)}
    return tuple(name for name in formula.names if name in found)


def _values_beside(pair: Pair) -> dict[str, Fraction]:
    """Values that are said in a remark on the statement: `4d² = 2,359,296 (d = 768)`."""
    found: dict[str, Fraction] = {}
    remark = pair.statement.remark
    for statement in read_all(remark.strip("()（） ")) if "=" in remark else ():
        if isinstance(statement, Statement) and len(statement.sides) == 2 and isinstance(statement.sides[0].formula, Name):
            claim = statement.sides[1].claim
            if claim is not None:
                found[statement.sides[0].formula.name] = claim_value(claim)
    return found


def _letters_only(pair: Pair) -> bool:
    """`B·T = 4M`: a product of letters is given a number."""
    letters = pair.a if pair.a.names else pair.b
    return isinstance(letters, Product) and all(isinstance(factor, Name) for factor in letters.factors)


def _unknown_values(pair: Pair, scope: Scope, missing: list[str]) -> Ruling:
    """Letters without values: given here by numbers put in, or the number cannot be checked."""
    letters, numbers = _sides(pair)
    made = numbers_put_in(letters.formula, numbers.formula)
    if made is not None:
        if made.slips and not pair.loose:
            of_formula, here = made.slips[0]
            message = f"numbers put in, but {number_text(of_formula)} in the formula is {number_text(here)} here"
            return Ruling("wrong", "number", message, stated=numbers.text)
        return _bound(made, scope)
    if len(missing) == 1 and pair.names == (missing[0],) and pair.a in (Name(missing[0]),):
        scope.bind(missing[0], value_of(pair.b, {}))
    return Ruling("unchecked", "unknown-value", f"{', '.join(missing)} has no value in the document")
