"""Inequalities: `4 × 4096 ≥ 20000`."""

from __future__ import annotations

from derive.checker.arithmetic.values import value_of
from derive.checker.finding import Ruling
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import number_text, values_said
from derive.checker.scope.scope import Scope
from derive.formula.tree import Applied

_SIGNS = {"≤": "<=", "≥": ">=", "<": "<", ">": ">", "≪": "<", "≫": ">", "≠": "!="}


def rule_order(pair: Pair, scope: Scope) -> Ruling:
    """Decided where both sides have values, and wrong only where they are numbers."""
    names = pair.names
    if any(isinstance(side.formula, Applied) for side in (pair.left, pair.right)) and names:
        return Ruling("unchecked", "undecided", "an inequality between formulas is not decided")
    if not all(scope.values_of(name) for name in names):
        return Ruling("unchecked", "undecided", "an inequality that depends on the letters")
    values = scope.latest(names)
    left, right = value_of(pair.a, values), value_of(pair.b, values)
    holds = {"<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right, "!=": left != right}[_SIGNS[pair.relation]]
    shown = f"{number_text(left)} {pair.relation} {number_text(right)}"
    if holds:
        return Ruling("exact", "equal-numbers", f"holds: {shown}")
    if names:
        return Ruling("unchecked", "undecided", f"does not hold for {values_said(values)}")
    return Ruling("wrong", "false-relation", f"does not hold: {shown}", right=number_text(left))
