"""Derivatives of rational formulas, term by term, in the order of the formula."""

from __future__ import annotations

from derive.errors import UndecidedError
from derive.formula import tidy
from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum


def derivative(formula: Formula, name: str) -> Formula:
    """The partial derivative by one symbol, all others held fixed; `L(2d^2 + 3dm)` by d is `L(4d + 3m)`.

    Raises `UndecidedError` for a power whose exponent holds the symbol.
    """
    match formula:
        case Number():
            return Number(0)
        case Name(other):
            return Number(int(other == name))
        case Sum(terms):
            return tidy.add(tuple(derivative(term, name) for term in terms))
        case Product(factors):
            return tidy.add(tuple(_one_factor(factors, at, name) for at in range(len(factors))))
        case Power(base, exponent) if name not in exponent.names:
            lower = tidy.power(base, tidy.add((exponent, Number(-1))))
            return tidy.multiply((exponent, lower, derivative(base, name)))
        case Quotient(numerator, denominator):
            above, below = derivative(numerator, name), derivative(denominator, name)
            if below == Number(0):
                return tidy.divide(above, denominator)
            top = tidy.add((tidy.multiply((above, denominator)), tidy.multiply((Number(-1), numerator, below))))
            return tidy.divide(top, tidy.power(denominator, Number(2)))
    raise UndecidedError(f"no derivative of {formula.text} by {name}")


def _one_factor(factors: tuple[Formula, ...], at: int, name: str) -> Formula:
    """A product with one of its factors differentiated, in its place."""
    return tidy.multiply((*factors[:at], derivative(factors[at], name), *factors[at + 1 :]))
