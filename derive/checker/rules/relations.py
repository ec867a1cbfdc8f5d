"""One relation of a statement → its verdict: which kind of pair it is, and who judges that kind."""

from __future__ import annotations

import re

from derive.algebra.normal import equal
from derive.checker.arithmetic.values import value_of
from derive.checker.equality.comparing import compare
from derive.checker.equality.rational import rational
from derive.checker.equations.equation import Equation
from derive.checker.finding import Ruling
from derive.checker.named.judging import other_kind
from derive.checker.named.own import is_own, own_equal
from derive.checker.rules.formulas import rule_formulas
from derive.checker.rules.instances import rule_instance
from derive.checker.rules.names import define, rule_name
from derive.checker.rules.numbers import rule_numbers
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import number_text, simple_text, values_said
from derive.checker.scope.scope import Scope
from derive.errors import UndecidedError
from derive.formula.read import read_all
from derive.formula.statement import Side, Statement
from derive.formula.tree import Applied, Formula, Name
from derive.symbols import BY_NAME

ORDERS = {"≤": "<=", "≥": ">=", "<": "<", ">": ">", "≪": "<", "≫": ">", "≠": "!="}


def rule(pair: Pair, scope: Scope) -> Ruling | None:
    """The verdict on a pair; None where the relation says nothing that could be checked."""
    if pair.relation in ("∈", "⇒", ";"):
        return None
    try:
        if pair.relation == "→":
            return _step(pair)
        if pair.relation in ORDERS:
            return _order(pair, scope)
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


def _step(pair: Pair) -> Ruling | None:
    """`a → b` with the note "with d_kv = d, m = 4d": what is put in, put in."""
    put_in = _said_in(pair.right.note or pair.statement.remark)
    if not put_in or not pair.a.names:
        return None
    for _ in range(2):
        replaced = pair.a.substitute(put_in)
        if equal(replaced, pair.b):
            said = ", ".join(f"{name} = {value.text}" for name, value in put_in.items())
            return Ruling("exact", "equal-formulas", f"equal with {said}")
        put_in = {name: value.substitute(put_in) for name, value in put_in.items()}
    shown = simple_text(replaced)
    return Ruling("wrong", "formula", f"it is {shown}", shown, stated=pair.b.text)


def _said_in(note: str) -> dict[str, Formula]:
    """The equations in a note: what its names stand for."""
    found: dict[str, Formula] = {}
    inner = note.strip("& ")
    inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
    for statement in read_all(inner) if "=" in inner else ():
        if isinstance(statement, Statement) and len(statement.sides) == 2 and isinstance(statement.sides[0].formula, Name):
            found[statement.sides[0].formula.name] = rational(statement.sides[1].formula, statement.units, {})
    return found


def _equality(pair: Pair, scope: Scope) -> Ruling:
    if not pair.names:
        return rule_numbers(pair, scope)
    if _SHAPES.match(pair.left.text):
        return Ruling("definition", "defined", "shapes of matrices")
    if pair.first and _CALL.match(pair.left.text) and pair.a.names:
        return Ruling("definition", "defined", f"defines {pair.left.text.strip().split('(')[0].strip()}")
    if (found := _own_names(pair, scope)) is not None:
        return found
    for name_side, other_side in ((pair.a, pair.b), (pair.b, pair.a)):
        if isinstance(name_side, Name) and (pair.first or name_side is pair.b):
            return rule_name(name_side.name, other_side, pair, scope)
    if not pair.a.names or not pair.b.names:
        return rule_instance(pair, scope)
    return rule_formulas(pair, scope)


def _own_names(pair: Pair, scope: Scope) -> Ruling | None:
    """Formulas that hold names of the engine's own quantities: its closed forms put in."""
    own = [name for name in pair.names if is_own(name)]
    lone = [side for side in (pair.a, pair.b) if isinstance(side, Name)]
    if not own or (lone and not any(name in side.names for name in own for side in (pair.a, pair.b) if side not in lone)):
        return None
    if not all(is_own(name) or scope.likely(name) in BY_NAME for name in pair.names):
        return None
    meanings = {name: Name(str(scope.likely(name))) for name in pair.names if not is_own(name)}
    assumed = own_equal(*(side.substitute(meanings) for side in (pair.a, pair.b)))
    if assumed is not None:
        for side, other in ((pair.a, pair.b), (pair.b, pair.a)):
            if isinstance(side, Name):
                define(side.name, other, pair, scope)
        if not assumed:
            return Ruling("exact", "equal-quantity", "equal with the closed forms put in")
        return Ruling("exact-under", "equal-under", f"equal with {', '.join(assumed)}", assumptions=assumed)
    found = compare(pair.a, pair.b, scope.known(pair.names, pair.statement), loose=pair.loose)
    if found.verdict in ("exact", "exact-under", "approximation") or pair.loose or any(name in scope.definitions for name in own):
        return None
    if any(
        is_own(side.name) and other_kind(side.name, other, scope)
        for side, other in ((pair.a, pair.b), (pair.b, pair.a))
        if isinstance(side, Name)
    ):
        return None
    if any(name in ("P_mla", "P_shared") for name in pair.names):
        return None
    if not all(is_own(name) or scope.meaning(name) in BY_NAME or (name in BY_NAME and scope.likely(name) == name) for name in pair.names):
        return None
    return Ruling("wrong", "quantity", "not equal with the closed forms put in", stated=pair.b.text)


_CALL = re.compile(
    r"\s*\\?[A-Za-z]+(?:_\{?[\\A-Za-z0-9]+\}?)?\s*(?:\\left)?\(\s*[A-Za-z0-9_\\]+(?:\s*[,;]\s*[A-Za-z0-9_\\]+)*\s*(?:\\right)?\)\s*$"
)
"""`f(x)`, `P(d, L)`: a name with what it depends on."""


_SHAPES = re.compile(r"\s*\(\s*\w+\s*(?:\\times|×|x)\s*\w+\s*\)\s*(?:\\cdot|\\times|·|×|@)?\s*\(\s*\w+\s*(?:\\times|×|x)\s*\w+\s*\)\s*$")
"""`(n × d)(d × m)`: the shapes of two matrices that are multiplied."""


def _order(pair: Pair, scope: Scope) -> Ruling:
    names = pair.names
    if any(isinstance(side.formula, Applied) for side in (pair.left, pair.right)) and names:
        return Ruling("unchecked", "undecided", "an inequality between formulas is not decided")
    if not all(scope.values_of(name) for name in names):
        return Ruling("unchecked", "undecided", "an inequality that depends on the letters")
    values = scope.latest(names)
    left, right = value_of(pair.a, values), value_of(pair.b, values)
    holds = {"<=": left <= right, ">=": left >= right, "<": left < right, ">": left > right, "!=": left != right}[ORDERS[pair.relation]]
    shown = f"{number_text(left)} {pair.relation} {number_text(right)}"
    if holds:
        return Ruling("exact", "equal-numbers", f"holds: {shown}")
    if names:
        return Ruling("unchecked", "undecided", f"does not hold for {values_said(values)}")
    return Ruling("wrong", "false-relation", f"does not hold: {shown}", right=number_text(left))
