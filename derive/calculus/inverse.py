"""The inverse question: which size fits. An equation in one unknown, solved exactly, and the whole sizes beside the root."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from derive.algebra.arrange import as_terms, simplified
from derive.algebra.normal import Normal, difference, equal
from derive.algebra.polynomial import Polynomial, Ring
from derive.calculus.roots import real_roots
from derive.calculus.subject import Subject, subject
from derive.errors import FormulaError, StepError
from derive.formula.tidy import add, divide, multiply, power
from derive.formula.tree import Applied, Formula, Name, Number

USUAL_MULTIPLES = {"d": 128, "m": 256}
"""What the sizes of real models are multiples of, where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A whole size beside the root, and what both sides come to with it.

    `tied` are the sizes that a condition ties to it, made whole: rounded up to their usual multiple.
    """

    size: int
    tied: tuple[tuple[str, int], ...]
    left: Fraction
    right: Fraction


@dataclass(frozen=True, slots=True)
class Solution:
    """What solves an equation for one symbol.

    `closed` are its roots as formulas where a closed form exists (degree 1 and 2); `roots` the positive real ones, each
    between two rationals (equal where it is rational); `candidates` the whole sizes and the realisable ones beside them.
    """

    equation: tuple[Formula, Formula]
    symbol: str
    closed: tuple[Formula, ...]
    roots: tuple[tuple[Fraction, Fraction], ...]
    candidates: tuple[Candidate, ...]
    remarks: tuple[str, ...]


def solve(equation: str, symbol: str, given: str | None = None, multiple: int | None = None) -> Solution:
    """Solve `P_total = 7e9` for a symbol, under conditions that give every other one.

    With other symbols left open, only the closed form is given. Raises `FormulaError` for what cannot be read or does not
    occur, `UndecidedError` beyond the bounds.
    """
    left, right = _sides(equation, given)
    left.require((symbol,), "an equation for") if symbol in left.closed.names else right.require((symbol,), "an equation for")
    form = difference(left.closed, right.closed)
    if not form.numerator:
        return Solution((left.asked, right.asked), symbol, (), (), (), (f"every {symbol} solves it",))
    closed = _closed_forms(form, symbol)
    others = _open(form, symbol)
    if others:
        remark = f"no number given for {', '.join(others)}, so no number follows" + (
            "" if closed else ", and no closed form of this degree"
        )
        return Solution((left.asked, right.asked), symbol, closed, (), (), (remark,))
    single = _in_one(form, symbol)
    positive = tuple((low, high) for low, high in real_roots(single) if high > 0)
    step = multiple or USUAL_MULTIPLES.get(symbol, 1)
    candidates = tuple(_candidate(left, right, symbol, size) for size in _beside(positive, step))
    return Solution((left.asked, right.asked), symbol, closed, positive, candidates, _remarks(positive, single, symbol))


def _sides(equation: str, given: str | None) -> tuple[Subject, Subject]:
    sides = equation.split("=")
    if len(sides) != 2:
        raise FormulaError("an equation has one '='", equation)
    return subject(sides[0], given), subject(sides[1], given)


def _open(form: Normal, symbol: str) -> list[str]:
    """The other symbols that still occur in an equation."""
    others = (name for name in form.ring.names if name != symbol)
    return [name for name in others if any(form.ring.degree(monomial, name) for monomial in form.numerator)]


def _in_one(form: Normal, symbol: str) -> Normal:
    """The numerator as a polynomial in one symbol."""
    ring = Ring((symbol,))
    terms = {ring.monomial((form.ring.degree(monomial, symbol),)): value for monomial, value in form.numerator.items()}
    return Normal(ring, terms, {0: 1})


def _closed_forms(form: Normal, symbol: str) -> tuple[Formula, ...]:
    """The roots of an equation of first or second degree, as formulas of the other symbols."""
    parts: dict[int, Polynomial] = {}
    for monomial, value in form.numerator.items():
        degree = form.ring.degree(monomial, symbol)
        rest = form.ring.monomial(form.ring.degree(monomial, name) * (name != symbol) for name in form.ring.names)
        parts.setdefault(degree, {})[rest] = value
    a, b, c = (as_terms(form.ring, parts.get(degree, {}), None) for degree in (2, 1, 0))
    if max(parts) == 1:
        return (simplified(divide(multiply((Number(-1), c)), b)),)
    if max(parts) != 2:
        return ()
    root = Applied("sqrt", (add((power(b, Number(2)), multiply((Number(-4), a, c)))),))
    below = multiply((Number(2), a))
    minus_b = multiply((Number(-1), b))
    _prove(a, b, c)
    return tuple(divide(add((minus_b, multiply((Number(sign), root)))), below) for sign in (1, -1))


def _prove(a: Formula, b: Formula, c: Formula) -> None:
    """With s² = b² - 4ac, x = (s - b)/(2a) gives a x² + b x + c = (s² - (b² - 4ac))/(4a), which is 0; for both signs of s."""
    s = Name("s")
    x = divide(add((s, multiply((Number(-1), b)))), multiply((Number(2), a)))
    left = add((multiply((a, power(x, Number(2)))), multiply((b, x)), c))
    rest = add((power(s, Number(2)), multiply((Number(-1), power(b, Number(2)))), multiply((Number(4), a, c))))
    if not equal(left, divide(rest, multiply((Number(4), a)))):
        raise StepError("the roots of the quadratic do not solve it")


def _beside(roots: tuple[tuple[Fraction, Fraction], ...], step: int) -> list[int]:
    """The whole sizes and the multiples of `step` just below and just above each root; a whole root itself."""
    sizes: dict[int, None] = {}
    for low, high in roots:
        for size in (floor(low / step) * step, floor(low), ceil(high), ceil(high / step) * step):
            if size >= 1:
                sizes[size] = None
    return sorted(sizes)


def _candidate(left: Subject, right: Subject, symbol: str, size: int) -> Candidate:
    """Both sides with a whole size, and with whole sizes for all that the conditions tie to it."""
    sizes: dict[str, int] = {symbol: size}
    tied = []
    for name, value in left.conditions.items():
        worked = Fraction(value.evaluate({symbol: size}))
        step = USUAL_MULTIPLES.get(name, 1) if worked.denominator != 1 else 1
        sizes[name] = ceil(worked / step) * step
        if symbol in value.names:
            tied.append((name, sizes[name]))
    return Candidate(size, tuple(tied), Fraction(left.general.evaluate(sizes)), Fraction(right.general.evaluate(sizes)))


def _remarks(roots: tuple[tuple[Fraction, Fraction], ...], form: Normal, symbol: str) -> tuple[str, ...]:
    if not roots:
        return (f"no positive {symbol} solves it",)
    remarks = [f"{len(roots)} positive solutions"] if len(roots) > 1 else []
    if not any(low == high and low.denominator == 1 for low, high in roots):
        remarks.append(f"no whole {symbol} solves it exactly")
    return tuple(remarks)
