"""Formulas with letters on both sides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from derive.algebra.normal import difference, equal, sign
from derive.checker.arithmetic.values import value_of
from derive.checker.equality.comparing import compare
from derive.checker.equality.rational import is_opaque, opaque, rational
from derive.checker.finding import Ruling
from derive.checker.rules.instances import is_condition
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import simple_text
from derive.checker.scope.scope import Scope
from derive.errors import DeriveError
from derive.formula.tree import Name


def rule_formulas(pair: Pair, scope: Scope) -> Ruling:
    """Letters on both sides: compared as functions; what is not equal may be an equation to be solved, or a condition."""
    found = compare(pair.a, pair.b, lambda: scope.known(pair.names, pair.statement), loose=pair.loose)
    if found.code == "undecided" and _differs_somewhere(pair, scope):
        return Ruling("wrong", "formula", "the sides have different values", pair.a.text, stated=pair.b.text)
    if found.verdict == "wrong" and _solvable(pair):
        solved = _solved(pair, scope)
        if solved is not None:
            return solved
        if is_condition(pair):
            return Ruling("definition", "defined", "a condition on the letters")
    return replace(found, stated=pair.b.text, right=simple_text(pair.a)) if found.verdict == "wrong" else found


def _differs_somewhere(pair: Pair, scope: Scope) -> bool:
    """Whether sides outside of the reach of the algebra have different values at two places; their letters must not be tied."""
    names = tuple(dict.fromkeys((*pair.left.formula.names, *pair.right.formula.names)))
    left, right = set(pair.left.formula.names), set(pair.right.formula.names)
    if (
        pair.loose
        or not any(is_opaque(name) for side in (pair.a, pair.b) for name in opaque(side).names)
        or not (left <= right or right <= left or all(scope.is_size(name) for name in left ^ right))
    ):
        return False
    places = [{name: Fraction(start + 7 * at) for at, name in enumerate(names)} for start in (11, 29)]
    try:
        return all(value_of(pair.left.formula, place) != value_of(pair.right.formula, place) for place in places)
    except DeriveError:
        return False


def _solvable(pair: Pair) -> bool:
    """Whether positive letters could make the sides equal: their difference has terms of both signs."""
    return not sign(difference(pair.a, pair.b))


def _solved(pair: Pair, scope: Scope) -> Ruling | None:
    """An equation whose solution stands beside it: `24BTDNH = 12BT²NH` where T = 2D."""
    for statement in scope.beside:
        for left, right in zip(statement.sides, statement.sides[1:], strict=False):
            for name, value in ((left.formula, right.formula), (right.formula, left.formula)):
                if not isinstance(name, Name) or name.name not in pair.names or name.name in value.names:
                    continue
                put_in = {name.name: rational(value, statement.units, {})}
                if equal(pair.a.substitute(put_in), pair.b.substitute(put_in)):
                    said = f"{name.name} = {value.text}"
                    return Ruling("exact-under", "equal-under", f"equal with {said}", assumptions=(said,))
    return None
