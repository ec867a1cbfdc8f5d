"""Rates of change: partial derivatives, elasticities, and total derivatives where sizes are tied to one another."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from derive.algebra.arrange import as_terms, simplified
from derive.algebra.derivative import derivative
from derive.algebra.normal import difference, equal
from derive.calculus.subject import Subject
from derive.derivation import Derivation, Step, begin, expanded
from derive.errors import FormulaError, StepError
from derive.formula.tidy import divide, multiply
from derive.formula.tree import Applied, Formula, Name, Quotient, Sum, terms_of
from derive.text import Text

SMALL = Name("ε")
"""The step of a difference quotient."""


def partial(of: Subject, name: str) -> Derivation:
    """∂P/∂x: how much one more of a size adds, all other sizes held fixed."""
    of.require((name,), "a derivative by")
    slope = proved_derivative(of.closed, name)
    why = Text(f"derivative of `{of.closed.text}` in `{name}`, all else fixed", f"`{of.closed.text}` 对 `{name}` 求偏导，其余不变")
    found = begin(Applied("partial", (of.asked, Name(name))), slope, why)
    return found.then(expanded()) if isinstance(slope, Quotient) else found


def proved_derivative(formula: Formula, name: str) -> Formula:
    """The derivative, proved to be what a difference quotient tends to; `StepError` where it is not."""
    slope = derivative(formula, name)
    grown = difference(formula.substitute({name: Name(name) + SMALL}), formula)
    first = {part: value for part, value in grown.numerator.items() if grown.ring.degree(part, SMALL.name) == 1}
    still = {part: value for part, value in grown.denominator.items() if grown.ring.degree(part, SMALL.name) == 0}
    quotient = divide(as_terms(grown.ring, first, None), as_terms(grown.ring, still, None))
    if SMALL.name in grown.ring.names and not equal(quotient, multiply((SMALL, slope))):
        raise StepError(f"{slope.text} is not the derivative of {formula.text} by {name}")
    return slope


def elasticity(of: Subject, name: str) -> Derivation:
    """∂ln P/∂ln x: by how many percent the whole grows when a size grows by one percent, all others fixed."""
    of.require((name,), "an elasticity in")
    slope = proved_derivative(of.closed, name)
    raw = divide(multiply((Name(name), slope)), of.closed)
    why = Text(f"`{name}` times the derivative, over the whole", f"`{name}` 乘以偏导数，除以整体")
    return begin(Applied("elasticity", (of.asked, Name(name))), raw, why).then(expanded())


def total(of: Subject, name: str, ties: Mapping[str, Formula]) -> Derivation:
    """dP/dx where other sizes are tied to x: the chain rule, term by term, and the ties put in.

    The result must equal the derivative after substitution. Raises `FormulaError` for a tie that does not give another size
    in terms of x.
    """
    of.require((name, *(symbol for symbol in ties if symbol not in of.closed.names)), "a derivative by")
    for symbol, value in ties.items():
        if symbol == name or name not in value.names:
            raise FormulaError(f"a tie gives another size in terms of {name}, as in m=4d", f"{symbol} = {value.text}")
    parts = [*terms_of(proved_derivative(of.closed, name))]
    for symbol, value in ties.items():
        parts.append(multiply((proved_derivative(of.closed, symbol), proved_derivative(value, name))))
    names = [f"`{symbol} = {value.text}`" for symbol, value in ties.items()]
    why = Text(f"chain rule with {', '.join(names)}, a term for each at the end", f"链式法则，{'、'.join(names)}，末尾各一项")
    begun = begin(Applied("total", (of.asked, Name(name))), Sum(tuple(parts)), why)
    after = simplified(proved_derivative(of.closed.substitute(ties), name))
    return begun.then(Step("→", lambda _: after, Text("the ties put in", "代入关系"), dict(ties)))


def tied_elasticity(of: Subject, name: str, ties: Mapping[str, Formula]) -> Formula:
    """The elasticity d ln P/d ln x under ties, as a formula."""
    along = of.closed.substitute(ties)
    return simplified(divide(multiply((Name(name), proved_derivative(along, name))), along))


def elasticities(of: Subject, sizes: Mapping[str, int]) -> dict[str, Fraction]:
    """The elasticity in every symbol of the formula at given sizes, exact. Raises `DeriveError` where a size is missing."""
    whole = Fraction(of.closed.evaluate(sizes))
    return {name: Fraction(derivative(of.closed, name).evaluate(sizes)) * sizes[name] / whole for name in of.closed.names}
