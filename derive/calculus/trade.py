"""What one size can be exchanged for another at the same whole, such as depth for width at the same parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from derive.calculus.rates import proved_derivative
from derive.calculus.subject import Subject
from derive.conditions import possible
from derive.derivation import Derivation, begin, expanded
from derive.errors import FormulaError
from derive.formula.tidy import divide, multiply
from derive.formula.tree import Applied, Name, Number
from derive.text import Text

FACTORS = (Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2))
"""The multiples of a size at which the other is worked out."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A size, the other one that spends the same, exactly and rounded down, and what the two whole sizes come to."""

    size: int
    other: Fraction
    whole: int
    value: Fraction | None


def exchange_rate(of: Subject, size: str, other: str) -> tuple[Derivation, Derivation]:
    """dy/dx at a fixed whole, -(∂P/∂x)/(∂P/∂y), and the elasticity x/y · dy/dx.

    Raises `FormulaError` for sizes that do not occur.
    """
    if size == other:
        raise FormulaError("a size is exchanged for another one", size)
    of.require((size, other), "an exchange of")
    rate = multiply((Number(-1), divide(proved_derivative(of.closed, size), proved_derivative(of.closed, other))))
    why = Text(
        f"`{of.asked.text}` fixed: minus its slope in `{size}` over that in `{other}`",
        f"`{of.asked.text}` 固定：对 `{size}` 与对 `{other}` 的导数之比，取负",
    )
    slope = begin(Applied("total", (Name(other), Name(size))), rate, why).then(expanded())
    log = multiply((divide(Name(size), Name(other)), slope.result))
    reason = Text(f"times `{size}/{other}`", f"乘以 `{size}/{other}`")
    return slope, begin(Applied("total_elasticity", (Name(other), Name(size))), log, reason).then(expanded())


def exchanged(of: Subject, size: str, other: str, sizes: Mapping[str, int], multiple: int) -> tuple[Exchange, ...]:
    """The other size at multiples of a size, each a multiple of `multiple`, that spends what the given sizes do.

    Sizes that cannot be are left out. Raises `FormulaError` where the whole is not linear in the other size, as it is in the
    depth.
    """
    slope = proved_derivative(of.closed, other)
    if other in slope.names:
        raise FormulaError(
            f"the {other} that follow are worked out where {of.asked.text} is linear in it; use 'derive solve' for this one", other
        )
    budget = Fraction(of.closed.evaluate(sizes))
    found = []
    for width in dict.fromkeys(max(round(sizes[size] * factor / multiple), 1) * multiple for factor in FACTORS):
        at = {**sizes, size: width}
        answer = (budget - Fraction(of.closed.evaluate({**at, other: 0}))) / Fraction(slope.evaluate(at))
        whole = int(answer)
        if answer > 0 and possible({**at, other: answer}, of.closed.names):
            found.append(Exchange(width, answer, whole, Fraction(of.closed.evaluate({**at, other: whole})) if whole else None))
    return tuple(found)
