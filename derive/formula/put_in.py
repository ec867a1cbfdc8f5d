"""Numbers put in where names stood, everything else as written."""

from __future__ import annotations

from collections.abc import Mapping

from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum


def with_numbers(formula: Formula, values: Mapping[str, int]) -> Formula:
    """The formula as written, numbers standing where the names stood: `2d^2 -> 2·4096²`."""
    match formula:
        case Number():
            return formula
        case Name(name):
            return Number(values[name]) if name in values else formula
        case Sum(terms):
            return Sum(tuple(with_numbers(term, values) for term in terms))
        case Product(factors):
            return Product(tuple(with_numbers(factor, values) for factor in factors))
        case Power(base, exponent):
            return Power(with_numbers(base, values), with_numbers(exponent, values))
        case Quotient(numerator, denominator):
            return Quotient(with_numbers(numerator, values), with_numbers(denominator, values))
    raise TypeError(f"not a formula node: {type(formula).__name__}")
