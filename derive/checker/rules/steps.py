"""An arrow: `a → b` with the note "with d_kv = d, m = 4d"."""

from __future__ import annotations

from derive.algebra.normal import equal
from derive.checker.equality.rational import rational
from derive.checker.finding import Ruling
from derive.checker.rules.pair import Pair
from derive.checker.rules.wording import simple_text
from derive.formula.read import read_all
from derive.formula.statement import Statement
from derive.formula.tree import Formula, Name


def rule_step(pair: Pair) -> Ruling | None:
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
