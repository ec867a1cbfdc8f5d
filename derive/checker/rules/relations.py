"""One relation of a statement → its verdict: which kind of pair it is, and who judges that kind."""

from __future__ import annotations

import re

from derive.checker.equality.rational import rational
from derive.checker.equations.equation import Equation
from derive.checker.finding import Ruling
from derive.checker.named import is_own
from derive.checker.rules.formulas import rule_formulas
from derive.checker.rules.instances import rule_instance
from derive.checker.rules.names import rule_name
from derive.checker.rules.numbers import rule_numbers
from derive.checker.rules.pair import Pair
from derive.checker.scope.scope import Scope
from derive.errors import UndecidedError
from derive.formula.statement import Side, Statement
from derive.formula.tree import Name

ORDERS = frozenset("≤ ≥ < > ≪ ≫ ≠".split())

# Rules that most documents do not need are loaded where one does.


def rule(pair: Pair, scope: Scope) -> Ruling | None:
    """The verdict on a pair; None where the relation says nothing that could be checked."""
    if pair.relation in ("∈", "⇒", ";"):
        return None
    try:
        if pair.relation == "→":
            from derive.checker.rules.steps import rule_step

            return rule_step(pair)
        if pair.relation in ORDERS:
            from derive.checker.rules.orders import rule_order

            return rule_order(pair, scope)
        if pair.relation == "∝":
            return Ruling("unchecked", "undecided", "a proportion is not checked")
        return _equality(pair, scope)
    except UndecidedError as error:
        return Ruling("unchecked", "beyond", str(error))


def prepared(left: Side, right: Side, relation: str, statement: Statement, equation: Equation, scope: Scope, *, first: bool) -> Pair:
    """The pair with its sides made rational. Raises `UndecidedError` beyond the bounds."""
    definitions = {name: each.formula for name, each in scope.definitions.items()}
    a, b = (rational(side.formula, side.units, definitions) for side in (left, right))
    return Pair(left, right, relation, statement, equation, first, a, b)


def _equality(pair: Pair, scope: Scope) -> Ruling:
    """By what stands on the sides: numbers, a name, letters against a number, formulas."""
    if not pair.names:
        return rule_numbers(pair, scope)
    if _SHAPES.match(pair.left.text):
        return Ruling("definition", "defined", "shapes of matrices")
    if pair.first and _CALL.match(pair.left.text) and pair.a.names:
        return Ruling("definition", "defined", f"defines {pair.left.text.strip().split('(')[0].strip()}")
    if any(is_own(name) for name in pair.names):
        from derive.checker.rules.own_names import rule_own_names

        found = rule_own_names(pair, scope)
        if found is not None:
            return found
    for name_side, other_side in ((pair.a, pair.b), (pair.b, pair.a)):
        if isinstance(name_side, Name) and (pair.first or name_side is pair.b):
            return rule_name(name_side.name, other_side, pair, scope)
    if not pair.a.names or not pair.b.names:
        return rule_instance(pair, scope)
    return rule_formulas(pair, scope)


_CALL = re.compile(
    r"\s*\\?[A-Za-z]+(?:_\{?[\\A-Za-z0-9]+\}?)?\s*(?:\\left)?\(\s*[A-Za-z0-9_\\]+(?:\s*[,;]\s*[A-Za-z0-9_\\]+)*\s*(?:\\right)?\)\s*$"
)
"""`f(x)`, `P(d, L)`: a name with what it depends on."""
_SHAPES = re.compile(r"\s*\(\s*\w+\s*(?:\\times|×|x)\s*\w+\s*\)\s*(?:\\cdot|\\times|·|×|@)?\s*\(\s*\w+\s*(?:\\times|×|x)\s*\w+\s*\)\s*$")
"""`(n × d)(d × m)`: the shapes of two matrices that are multiplied."""
