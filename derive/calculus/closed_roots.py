"""The roots of an equation of first or second degree as formulas, each proved by putting it into the equation."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from derive.algebra.arrange import as_terms, simplified
from derive.algebra.normal import Normal, difference, normal
from derive.algebra.polynomial import Polynomial
from derive.derivation import Derivation, begin
from derive.errors import StepError, UndecidedError
from derive.formula.tidy import add, divide, multiply, power
from derive.formula.tree import Applied, Formula, Name, Number
from derive.text import Text

ROOT = Name("√")
"""Stands for the square root of the discriminant while a solution is proved."""
SOLVED = Text("solved exactly", "精确求解")
SMALL_FACTORS = 1000
"""Up to which number squares are taken out of a root."""


def posed(form: Normal, symbol: str, left: Formula, right: Formula) -> tuple[Derivation, ...]:
    """The equation itself, closed forms and numbers put in; one of second degree also multiplied out, with zero on the right."""
    equation = begin(left, right, Text(f"to be solved for `{symbol}`", f"对 `{symbol}` 求解"))
    if max(form.ring.degree(monomial, symbol) for monomial in form.numerator) < 2:
        return (equation,)
    why = Text(f"all on one side, to be solved for `{symbol}`", f"移到一边，对 `{symbol}` 求解")
    return equation, begin(as_terms(form.ring, form.numerator, None), Number(0), why)


def closed_roots(form: Normal, symbol: str, left: Formula, right: Formula) -> tuple[Derivation, ...]:
    """The real solutions of `left = right`, whose difference is `form`, for a symbol; none where the degree is above 2."""
    parts: dict[int, Polynomial] = {}
    for monomial, value in form.numerator.items():
        degree = form.ring.degree(monomial, symbol)
        rest = form.ring.monomial(form.ring.degree(monomial, name) * (name != symbol) for name in form.ring.names)
        parts.setdefault(degree, {})[rest] = value
    a, b, c = (as_terms(form.ring, parts.get(degree, {}), None) for degree in (2, 1, 0))
    if max(parts) == 1:
        root = simplified(divide(multiply((Number(-1), c)), b))
        return (begin(Name(symbol), root, SOLVED),) if _solves(left, right, symbol, root, Number(0)) else ()
    if max(parts) != 2:
        return ()
    discriminant = add((power(b, Number(2)), multiply((Number(-4), a, c))))
    if isinstance(discriminant, Number) and discriminant.value < 0:
        return ()
    signs = (1,) if discriminant == Number(0) else (1, -1)
    found = []
    for sign in signs:
        proved, inside = _root(a, b, sign, discriminant, ROOT)
        if _solves(left, right, symbol, proved, inside):
            root, _ = _root(a, b, sign, discriminant, Applied("sqrt", (inside,)))
            found.append(begin(Name(symbol), root, _which(b, sign, discriminant, a)))
    return tuple(found)


def _root(a: Formula, b: Formula, sign: int, discriminant: Formula, surd: Formula) -> tuple[Formula, Formula]:
    """`(-b ± √D)/(2a)` with `surd` for the square root, and what stands under it; squares are taken out of a number."""
    minus_b, below = multiply((Number(-1), b)), multiply((Number(2), a))
    if not isinstance(discriminant, Number):
        return divide(add((minus_b, multiply((Number(sign), surd)))), below), discriminant
    outside, inside = _square_part(int(discriminant.value))
    surd = Number(1) if inside == 1 else surd
    parts = (divide(minus_b, below), divide(multiply((Number(sign * outside), surd)), below))
    return add(parts), Number(inside)


def _square_part(number: int) -> tuple[int, int]:
    """`s, r` with s² r = number, the squares of small factors and a square rest taken out: `8 → 2, 2`."""
    if number == 0:
        return 0, 1
    outside, inside = 1, number
    for factor in range(2, SMALL_FACTORS):
        while inside % (factor * factor) == 0:
            outside, inside = outside * factor, inside // (factor * factor)
    whole = isqrt(inside)
    return (outside * whole, 1) if whole * whole == inside else (outside, inside)


def _solves(left: Formula, right: Formula, symbol: str, root: Formula, discriminant: Formula) -> bool:
    """Whether a root solves the equation: put in, and the square of `ROOT` replaced, nothing is left above.

    False where it makes a denominator zero, or that cannot be told; `StepError` where something is left.
    """
    try:
        form = difference(left.substitute({symbol: root}), right.substitute({symbol: root}))
    except UndecidedError:
        return False
    above, below = (_without_squares(form, part, discriminant) for part in (form.numerator, form.denominator))
    if not normal(below).numerator:
        return False
    if normal(above).numerator:
        raise StepError(f"{symbol} = {root.text} does not solve the equation")
    return True


def _without_squares(form: Normal, terms: Polynomial, discriminant: Formula) -> Formula:
    """A polynomial in which an even power of `ROOT` is one of what stands under it."""
    if ROOT.name not in form.ring.names:
        return as_terms(form.ring, terms, None)
    names = form.ring.names
    parts: list[Formula] = []
    for monomial, value in terms.items():
        times, odd = divmod(form.ring.degree(monomial, ROOT.name), 2)
        rest = form.ring.monomial(odd if name == ROOT.name else form.ring.degree(monomial, name) for name in names)
        parts.append(multiply((as_terms(form.ring, {rest: value}, None), power(discriminant, Number(times)))))
    return add(tuple(parts))


def _which(b: Formula, sign: int, discriminant: Formula, a: Formula) -> Text:
    """Whether a root is the positive one; with symbols left open, that cannot be said."""
    if not (isinstance(a, Number) and isinstance(b, Number) and isinstance(discriminant, Number)):
        return Text("one of two solutions", "两个解之一")
    if discriminant.value == 0:
        return Text("the only solution, twice over", "唯一解，二重根")
    plain = Fraction(b.value)
    above = sign * discriminant.value - plain * abs(plain)  # of one sign with -b ± √D, as u|u| grows with u
    positive = above * a.value > 0
    return Text("a positive solution", "正根") if positive else Text("not positive, so no size", "不为正，舍去")
