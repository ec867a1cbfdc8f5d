"""Traversals that make a new formula or a number out of a formula: substitute, expand, evaluate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.errors import DeriveError, UndecidedError
from derive.formula import tidy
from derive.formula.tree import Applied, Formula, Name, Number, Operand, Power, Product, Quotient, Sum, as_formula, terms_of

MOST_TERMS = 5_000
"""`expand` gives up beyond this many terms, before it multiplies them out."""


def substitute(formula: Formula, replacements: Mapping[str, Operand]) -> Formula:
    """The tidy formula with names replaced, all at once."""
    tidy_values = {name: tidied(as_formula(value)) for name, value in replacements.items()}
    return _rebuild(formula, lambda name: tidy_values.get(name.name, name))


def tidied(formula: Formula) -> Formula:
    """The formula rebuilt by the tidy operators."""
    return _rebuild(formula, lambda name: name)


def put_in_side_by_side(formula: Formula, replacements: Mapping[str, Formula]) -> Formula:
    """The formula with names replaced, every term tidy, but the terms of a sum side by side: like terms stay apart."""

    def rebuilt(part: Formula) -> Formula:
        if isinstance(part, Sum):
            return Sum(tuple(term for each in part.terms for term in _side_by_side(rebuilt(each))))
        if isinstance(part, Product):
            return tidy.multiply(tuple(rebuilt(factor) for factor in part.factors))
        return substitute(part, replacements)

    return rebuilt(formula)


def _side_by_side(term: Formula) -> tuple[Formula, ...]:
    """The terms that a term of a sum consists of: those of a sum, and of a number times a sum."""
    match term:
        case Sum(terms):
            return terms
        case Product((Number() as number, Sum(terms))):
            return tuple(tidy.multiply((number, each)) for each in terms)
    return (term,)


def _rebuild(formula: Formula, leaf: Callable[[Name], Formula]) -> Formula:
    match formula:
        case Number():
            return formula
        case Name():
            return leaf(formula)
        case Sum(terms):
            return tidy.add(tuple(_rebuild(term, leaf) for term in terms))
        case Product(factors):
            return tidy.multiply(tuple(_rebuild(factor, leaf) for factor in factors))
        case Power(base, exponent):
            return tidy.power(_rebuild(base, leaf), _rebuild(exponent, leaf))
        case Quotient(numerator, denominator):
            return tidy.divide(_rebuild(numerator, leaf), _rebuild(denominator, leaf))
        case Applied(operator, arguments):
            return Applied(operator, tuple(_rebuild(argument, leaf) for argument in arguments))
    raise TypeError(f"not a formula node: {type(formula).__name__}")


def expand(formula: Formula) -> Formula:
    """The formula multiplied out, terms in the order in which the products meet.

    Raises `UndecidedError` where it would have more than `MOST_TERMS` terms.
    """
    match formula:
        case Sum(terms):
            return tidy.add(tuple(expand(term) for term in terms))
        case Product(factors):
            return _distribute(tuple(expand(factor) for factor in factors))
        case Power(base, Number(exponent)) if isinstance(exponent, int) and exponent > 1:
            inner = expand(base)
            if not isinstance(inner, Sum):
                return tidy.power(inner, Number(exponent))
            if exponent > MOST_TERMS or len(inner.terms) ** exponent > MOST_TERMS:
                raise UndecidedError(f"{formula.text} has too many terms to multiply out")
            return _distribute((inner,) * exponent)
        case Quotient(numerator, denominator):
            return tidy.divide(expand(numerator), expand(denominator))
    return formula


def _distribute(factors: tuple[Formula, ...]) -> Formula:
    terms: tuple[Formula, ...] = (Number(1),)
    for factor in factors:
        parts = terms_of(factor)
        if len(terms) * len(parts) > MOST_TERMS:
            raise UndecidedError("too many terms to multiply out")
        terms = tuple(tidy.multiply((left, right)) for left in terms for right in parts)
    return tidy.add(terms)


def evaluate(formula: Formula, values: Mapping[str, Any]) -> Any:
    """The value with a number (or an array) for every name.

    Exact for integers and fractions. Raises `DeriveError` naming a symbol that has no value.
    """
    match formula:
        case Number(value):
            return value
        case Name(name):
            if name not in values:
                raise DeriveError(f"no value for {name} in {formula.text}; give one, as in {name}=…")
            return values[name]
        case Sum(terms):
            return sum((evaluate(term, values) for term in terms[1:]), evaluate(terms[0], values))
        case Product(factors):
            product: Any = 1
            for factor in factors:
                product = product * evaluate(factor, values)
            return tidy.bounded(product) if _exact(product) else product
        case Power(base, exponent):
            return _raise(evaluate(base, values), evaluate(exponent, values))
        case Quotient(numerator, denominator):
            return _divide(evaluate(numerator, values), evaluate(denominator, values))
    raise TypeError(f"not a formula node: {type(formula).__name__}")


def _raise(base: Any, exponent: Any) -> Any:
    if not (_exact(base) and _exact(exponent)):
        return base**exponent
    result = tidy.power(Number(base), Number(exponent))
    if not isinstance(result, Number):
        raise UndecidedError(f"{result.text} is not a rational number")
    return result.value


def _divide(numerator: Any, denominator: Any) -> Any:
    from fractions import Fraction

    if not (_exact(numerator) and _exact(denominator)):
        return numerator / denominator
    if denominator == 0:
        raise UndecidedError(f"division by zero in {numerator}/0")
    return Fraction(numerator) / denominator


def _exact(value: Any) -> bool:
    """Whether the value is a whole number or a fraction, and not an array."""
    from fractions import Fraction

    return isinstance(value, (int, Fraction))
