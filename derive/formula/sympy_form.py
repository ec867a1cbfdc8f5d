"""The tree as a SymPy expression, built node by node: SymPy never sees a string of ours but a symbol's name."""

from __future__ import annotations

from typing import Any

from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum


def sympy_symbol(name: str) -> Any:
    """The SymPy symbol for a name. It carries no assumptions, so that `expr.subs("d", 4096)` and `expr.diff("L")` find it."""
    import sympy

    return sympy.Symbol(name)


def to_sympy(formula: Formula) -> Any:
    """The SymPy expression that means the same; order and brackets are SymPy's own."""
    import sympy

    match formula:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Name(name):
            return sympy_symbol(name)
        case Sum(terms):
            return sympy.Add(*map(to_sympy, terms))
        case Product(factors):
            return sympy.Mul(*map(to_sympy, factors))
        case Power(base, exponent):
            return sympy.Pow(to_sympy(base), to_sympy(exponent))
        case Quotient(numerator, denominator):
            return sympy.Mul(to_sympy(numerator), sympy.Pow(to_sympy(denominator), -1))
    raise TypeError(f"not a formula node: {type(formula).__name__}")
