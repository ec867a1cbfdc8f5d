"""The tree as a SymPy expression, built node by node: SymPy never sees a string of ours but a symbol's name."""

from __future__ import annotations

from typing import Any

from derive.formula.tree import Applied, Formula, Name, Number, Power, Product, Quotient, Sum


def sympy_symbol(name: str) -> Any:
    """The SymPy symbol for a name. It carries no assumptions, so that `expr.subs("d", 4096)` and `expr.diff("L")` find it."""
    import sympy

    return sympy.Symbol(name)


def _applied(operator: str, arguments: tuple[Formula, ...]) -> Any:
    """The SymPy form of an operator; a derivative of a bare name is a name of its own, since SymPy would make it zero."""
    import sympy

    if operator in ("partial", "total"):
        return sympy_symbol("d" + "d".join(argument.code for argument in arguments))
    first, *rest = map(to_sympy, arguments)
    match operator:
        case "limit":
            return sympy.Limit(first, rest[0], sympy.oo, dir="-")
        case "sum":
            return _sum(first, *rest)
        case "sqrt":
            return sympy.sqrt(first)
        case "floor" | "ceil" | "log" | "max" | "min":
            applied = {"floor": sympy.floor, "ceil": sympy.ceiling, "log": sympy.log, "max": sympy.Max, "min": sympy.Min}
            return applied[operator](first, *rest)
    raise TypeError(f"no SymPy form of the operator {operator}")


def _sum(body: Any, index: Any, lower: Any, upper: Any) -> Any:
    """A sum, in closed form where its body is a polynomial in the index; names that carry the index (`d_ell`) vary with it."""
    import sympy

    varying = any(symbol.name.endswith(f"_{index.name}") for symbol in body.free_symbols)
    whole = sympy.Sum(body, (index, lower, upper))
    return whole if varying or not body.is_polynomial(index) else sympy.factor(whole.doit())


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
        case Applied(operator, arguments):
            return _applied(operator, arguments)
    raise TypeError(f"not a formula node: {type(formula).__name__}")
