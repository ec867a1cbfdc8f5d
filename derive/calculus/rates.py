"""Rates of change: partial derivatives, elasticities, and total derivatives where sizes are tied to one another."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.algebra.arrange import simplified
from derive.algebra.derivative import derivative
from derive.calculus.subject import Subject
from derive.derivation import Derivation, Line, Step
from derive.formula.tidy import add, divide, multiply
from derive.formula.tree import Applied, Formula, Name
from derive.text import Text


def partial(of: Subject, name: str) -> Derivation:
    """∂P/∂x: how much one more of a size adds, all other sizes held fixed."""
    of.require((name,), "a derivative by")
    why = Text(f"`{of.closed.text}` differentiated by `{name}`, all else fixed", f"`{of.closed.text}` 对 `{name}` 求偏导，其余不变")
    return Derivation(Applied("partial", (of.asked, Name(name))), (Line("=", derivative(of.closed, name), why),), {})


def elasticity(of: Subject, name: str) -> Derivation:
    """∂ln P/∂ln x: by how many percent the whole grows when a size grows by one percent, all others fixed."""
    of.require((name,), "an elasticity in")
    slope = derivative(of.closed, name)
    raw = divide(multiply((Name(name), slope)), of.closed)
    start = Line("=", raw, Text(f"`{name}` times the derivative, over the whole", f"`{name}` 乘以偏导数，除以整体"))
    begun = Derivation(Applied("elasticity", (of.asked, Name(name))), (start,), {})
    return begun.then(Step("=", simplified, Text("multiplied out", "展开")))


def total(of: Subject, name: str, ties: Mapping[str, Formula]) -> Derivation:
    """dP/dx where other sizes are tied to x: the partial derivative and what each tie adds, then the tied formula's own.

    The lines are the chain rule, its terms worked out, and the result, which must equal the derivative after substitution.
    """
    of.require((name, *(symbol for symbol in ties if symbol not in of.closed.names)), "a derivative by")
    tied = {symbol: value for symbol, value in ties.items() if name in value.names}
    slopes = {symbol: derivative(value, name) for symbol, value in tied.items()}
    parts = [derivative(of.closed, name), *(multiply((derivative(of.closed, symbol), slope)) for symbol, slope in slopes.items())]
    chain = [Applied("partial", (of.asked, Name(name)))]
    names = ", ".join(f"`{symbol} = {value.text}`" for symbol, value in tied.items())
    why = Text(f"chain rule, {names}", f"链式法则，{names}")
    begun = Derivation(Applied("total", (of.asked, chain[0].arguments[1])), (Line("=", add(tuple(parts)), why),), {})
    after = simplified(derivative(of.closed.substitute(ties), name))
    conditions = dict(ties)
    return begun.then(Step("→", lambda _: after, Text("the ties put in", "代入关系"), conditions))


def elasticities(of: Subject, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """The elasticity in every symbol of the formula at given sizes, exact. Raises `DeriveError` where a size is missing."""
    whole = Fraction(of.closed.evaluate(sizes))
    return {name: Fraction(derivative(of.closed, name).evaluate(sizes)) * sizes[name] / whole for name in of.closed.names}
