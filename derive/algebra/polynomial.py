"""Sparse polynomials with integer coefficients, as dictionaries from packed exponents to coefficients.

A `Ring` gives every name a field of bits; a monomial is one Python integer, and multiplying monomials adds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import TypeAlias

from derive.errors import UndecidedError
from derive.records import dataclass

Polynomial: TypeAlias = dict[int, int]

_BITS = 64
MOST_TERMS = 20_000
MOST_BITS = 20_000
HIGHEST_DEGREE = 1 << 40
"""Of one name, before a power. Products between powers stay far below the width of a field: texts are bounded."""

ONE: Polynomial = {0: 1}


@dataclass(frozen=True, slots=True)
class Ring:
    """The names of the polynomials that are computed with together."""

    names: tuple[str, ...]

    def variable(self, name: str) -> Polynomial:
        """The polynomial that is one of the names."""
        return {1 << (_BITS * self.names.index(name)): 1}

    def monomial(self, exponents: Iterable[int]) -> int:
        """The monomial with these exponents, one for each name."""
        return sum(exponent << (_BITS * at) for at, exponent in enumerate(exponents))

    def exponents(self, monomial: int) -> Iterator[tuple[str, int]]:
        """The names of a monomial with their exponents, none of them zero."""
        for name in self.names:
            exponent = monomial & ((1 << _BITS) - 1)
            if exponent:
                yield name, exponent
            monomial >>= _BITS

    def degree(self, monomial: int, name: str) -> int:
        """The exponent of `name` in a monomial."""
        return (monomial >> (_BITS * self.names.index(name))) & ((1 << _BITS) - 1)


def constant(value: int) -> Polynomial:
    return {0: value} if value else {}


def add(left: Polynomial, right: Polynomial) -> Polynomial:
    result = dict(left)
    for monomial, coefficient in right.items():
        both = result.get(monomial, 0) + coefficient
        if both:
            result[monomial] = both
        else:
            del result[monomial]
    return result


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """The product; `UndecidedError` before it could grow beyond the bounds."""
    if len(left) * len(right) > MOST_TERMS:
        raise UndecidedError(f"a product of more than {MOST_TERMS} terms")
    if len(left) == len(right) == 1:  # most products are of two monomials
        ((one, a),), ((other, b),) = left.items(), right.items()
        return {one + other: a * b}
    result: Polynomial = {}
    for one, a in left.items():
        for other, b in right.items():
            monomial = one + other
            result[monomial] = result.get(monomial, 0) + a * b
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def power(base: Polynomial, exponent: int) -> Polynomial:
    """The power by repeated squaring; `UndecidedError` where its terms, degree or digits would pass the bounds."""
    if len(base) > 1 and exponent * len(base) > 400:
        raise UndecidedError(f"a sum to the power {exponent}")
    digits = max((abs(value).bit_length() for value in base.values()), default=0)
    if digits > 1 and digits * exponent > MOST_BITS:
        raise UndecidedError(f"a number to the power {exponent}")
    highest = max((_highest_exponent(monomial) for monomial in base), default=0)
    if highest * exponent >= HIGHEST_DEGREE:
        raise UndecidedError(f"a degree above {HIGHEST_DEGREE}")
    if len(base) == 1:
        ((monomial, value),) = base.items()
        return {monomial * exponent: value**exponent}
    result = ONE
    while exponent:
        if exponent & 1:
            result = multiply(result, base)
        exponent >>= 1
        if exponent:
            base = multiply(base, base)
    return result


def negative(polynomial: Polynomial) -> Polynomial:
    return {monomial: -coefficient for monomial, coefficient in polynomial.items()}


def content(polynomials: Sequence[Polynomial]) -> int:
    """The greatest common divisor of all coefficients; 1 for none."""
    return gcd(*(value for polynomial in polynomials for value in polynomial.values())) or 1


def cancelled(ring: Ring, numerator: Polynomial, denominator: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Numerator and denominator without the number and the monomial that divide both; the denominator leads positive."""
    terms = (*numerator, *denominator)
    common = ring.monomial(min(ring.degree(monomial, name) for monomial in terms) for name in ring.names) if numerator else 0
    number = content((numerator, denominator))
    number = -number if next(iter(denominator.values())) < 0 else number

    def reduced(terms: Polynomial) -> Polynomial:
        return {monomial - common: value // number for monomial, value in terms.items()}

    return reduced(numerator), reduced(denominator)


def _highest_exponent(monomial: int) -> int:
    highest = 0
    while monomial:
        highest = max(highest, monomial & ((1 << _BITS) - 1))
        monomial >>= _BITS
    return highest
