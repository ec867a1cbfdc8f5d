"""The two sides of a relation, as the rules take them."""

from __future__ import annotations

from derive.checker.equations.equation import Equation
from derive.formula.statement import Side, Statement
from derive.formula.tree import Formula
from derive.records import dataclass

EQUALITIES = frozenset(("=", "≈", ":="))


@dataclass(frozen=True, slots=True)
class Pair:
    """The two sides of a relation, where they come from, and, as `a` and `b`, the same ready for algebra.

    `first` is whether the relation is the first of its statement.
    """

    left: Side
    right: Side
    relation: str
    statement: Statement
    equation: Equation
    first: bool
    a: Formula
    b: Formula

    @property
    def loose(self) -> bool:
        """Whether the relation is ≈."""
        return self.relation == "≈"

    @property
    def names(self) -> tuple[str, ...]:
        """The letters of both sides."""
        return tuple(dict.fromkeys((*self.a.names, *self.b.names)))
