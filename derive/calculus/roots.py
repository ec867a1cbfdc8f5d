"""Roots of polynomials in one symbol: rational ones exactly, others between rationals; isolated, never searched size by size."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from derive.algebra.normal import Normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.errors import UndecidedError

HIGHEST_DEGREE = 12
LONGEST_COEFFICIENT = 6144
"""Bits of a coefficient up to which roots are isolated, for each degree."""
PRECISION = Fraction(1, 10**15)
"""How closely a root is known, relative to its size."""


@dataclass(frozen=True, slots=True)
class Root:
    """A real root between two rationals, which are the same where it is rational; how often it occurs."""

    low: Fraction
    high: Fraction
    multiplicity: int

    @property
    def exact(self) -> bool:
        """Whether the root is rational, and so known exactly."""
        return self.low == self.high


def real_roots(ring: Ring, terms: Polynomial) -> list[Root]:
    """Every real root of a polynomial in one symbol, in rising order.

    Raises `UndecidedError` beyond the bounds on degree and on the length of coefficients.
    """
    import sympy

    numbers = coefficients(ring, terms)
    if len(numbers) == 1:
        return []
    return _roots(sympy.Poly(numbers, sympy.Symbol("x")))


def coefficients(ring: Ring, terms: Polynomial) -> list[int]:
    """The coefficients of a polynomial in one symbol, the highest degree first, without common factor."""
    (name,) = ring.names
    degree = max((ring.degree(monomial, name) for monomial in terms), default=0)
    if degree > HIGHEST_DEGREE:
        raise UndecidedError(f"not decided: a polynomial of degree {degree}; the bound is {HIGHEST_DEGREE}")
    longest = max((abs(value).bit_length() for value in terms.values()), default=0)
    bound = LONGEST_COEFFICIENT // max(degree, 1)
    if longest > bound:
        raise UndecidedError(f"not decided: a coefficient of {longest} bits; the bound is {bound} at degree {degree}")
    found = [0] * (degree + 1)
    for monomial, value in terms.items():
        found[degree - ring.degree(monomial, name)] = value
    return found


def least_whole_above(forms: list[Polynomial], ring: Ring) -> int:
    """The least whole number, 1 at least, above every real root of several polynomials."""
    roots = [root.high for terms in forms for root in real_roots(ring, terms)]
    return max(floor(max(roots, default=Fraction(0))), 0) + 1


def in_one_symbol(form: Normal, terms: Polynomial, symbol: str) -> tuple[Ring, Polynomial]:
    """A polynomial whose only symbol is the given one, in the ring of that symbol alone."""
    ring = Ring((symbol,))
    return ring, {ring.monomial((form.ring.degree(monomial, symbol),)): value for monomial, value in terms.items()}


def _roots(poly: Any) -> list[Root]:
    _, factors = poly.factor_list()
    roots = [root for factor, times in factors for root in _roots_of(factor, int(times))]
    return sorted(roots, key=lambda root: root.low)


def _roots_of(factor: Any, multiplicity: int) -> list[Root]:
    """The real roots of an irreducible factor: between two places where its derivative is zero there is at most one.

    Sturm's count says how many there must be; `UndecidedError` where so many are not found, some lying too close together.
    """
    numbers = [int(number) for number in factor.all_coeffs()]
    if len(numbers) == 2:
        exact = Fraction(-numbers[1], numbers[0])
        return [Root(exact, exact, multiplicity)]
    wanted = int(factor.count_roots())
    if not wanted:
        return []
    bound = _bound(numbers)
    turns = [place for root in _roots(factor.diff()) for place in dict.fromkeys((root.low, root.high))]
    places = [-bound, *turns, bound]
    above = [_value(numbers, place) > 0 for place in places]
    between = [(places[at], places[at + 1]) for at in range(len(places) - 1) if above[at] != above[at + 1]]
    if len(between) != wanted:
        raise UndecidedError("not decided: two solutions lie too close together")
    return [Root(*_closer(numbers, low, high), multiplicity) for low, high in between]


def _bound(numbers: list[int]) -> Fraction:
    """A power of two beyond every root (Fujiwara): twice the largest k-th root of |a_(n-k)/a_n|."""
    lead = abs(numbers[0]).bit_length() - 1
    longest = max((-((lead - abs(number).bit_length()) // k) for k, number in enumerate(numbers[1:], 1) if number), default=0)
    return Fraction(2) ** (longest + 1)


def _closer(numbers: list[int], low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """The interval of an irrational root halved until it is as narrow as `PRECISION` asks; the root is simple, so signs differ."""
    sign = _value(numbers, high) > 0
    while high - low > PRECISION * max(abs(low), abs(high)):
        middle = (low + high) / 2
        if (_value(numbers, middle) > 0) == sign:
            high = middle
        else:
            low = middle
    return low, high


def _value(numbers: list[int], at: Fraction) -> int:
    """A number with the sign of the polynomial's value, by Horner's rule on whole numbers."""
    above, below = at.numerator, at.denominator
    result, scale = 0, 1
    for number in numbers:
        result, scale = result * above + number * scale, scale * below
    return result
