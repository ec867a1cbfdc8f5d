"""What is said about one relation, and the pair of sides it is said about."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from derive.algebra.arrange import simplified
from derive.checker.equations import Equation
from derive.checker.finding import Verdict
from derive.checker.values import UNIT_VALUES
from derive.errors import DeriveError
from derive.formula.statement import Claim, Side, Statement, Written
from derive.formula.tree import Formula, Number, children
from derive.records import dataclass

EQUALITIES = frozenset(("=", "≈", ":="))


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one relation, with everything that a finding shows but its place."""

    verdict: Verdict
    code: str
    message: str
    stated: str | None = None
    right: str | None = None
    residual: str | None = None
    assumptions: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    relative_error: Fraction | None = None
    computed: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """The two sides of a relation, ready for algebra, and where they come from."""

    left: Side
    right: Side
    relation: str
    statement: Statement
    equation: Equation
    first: bool
    a: Formula = field(default_factory=lambda: Number(0))
    b: Formula = field(default_factory=lambda: Number(0))

    @property
    def loose(self) -> bool:
        """Whether the relation is ≈."""
        return self.relation == "≈"

    @property
    def names(self) -> tuple[str, ...]:
        """The letters of both sides."""
        return tuple(dict.fromkeys((*self.a.names, *self.b.names)))


def values_said(values: dict[str, Fraction]) -> str:
    return ", ".join(
        f"{name} = {value.numerator:,}" if value.denominator == 1 else f"{name} = {float(value):g}" for name, value in values.items()
    )


def number_text(value: Fraction) -> str:
    from derive.formula.numbers import decimal

    return f"{value.numerator:,}" if value.denominator == 1 and abs(value) < 10**24 else decimal(value, 6)


def written_numbers(formula: Formula) -> list[Written]:
    if isinstance(formula, Written):
        return [formula]
    return [found for child in children(formula) for found in written_numbers(child)]


def simple_text(formula: Formula) -> str:
    try:
        return simplified(formula).text
    except DeriveError:
        return formula.text


def claim_value(claim: Claim) -> Fraction:
    """The value of a claim with its unit."""
    return claim.value * UNIT_VALUES.get(claim.unit, Fraction(1))
