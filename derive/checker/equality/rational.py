"""Formulas made ready for exact algebra: units as numbers, sums in closed form, derivatives and limits worked out.

What stays outside of it (a root, a logarithm, a rounding) becomes a name of its own, equal to itself only.
"""

from __future__ import annotations

from collections.abc import Mapping

from derive.algebra import polynomial
from derive.algebra.derivative import derivative
from derive.algebra.leading import by_degree, limit_of
from derive.algebra.normal import normal
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.errors import DeriveError, UndecidedError
from derive.formula.tree import Applied, Formula, Name, Number, Power, Product, Quotient, Sum, children, with_children


def rational(formula: Formula, units: frozenset[str], definitions: Mapping[str, Formula]) -> Formula:
    """The formula with operators worked out where that can be done; `definitions` are what names stand for in a derivative."""
    if units.isdisjoint(formula.names) and _is_plain(formula):
        return formula
    if isinstance(formula, Number):
        return formula
    if isinstance(formula, Name):
        return Number(UNIT_VALUES[formula.name]) if formula.name in units else formula
    parts = tuple([rational(part, units, definitions) for part in children(formula)])
    return _applied(formula.operator, parts, definitions) if isinstance(formula, Applied) else with_children(formula, parts)


def opaque(formula: Formula) -> Formula:
    """The formula with a name for each part that the algebra does not reach into: equal parts have the same name."""
    if _is_plain(formula):
        return formula
    if isinstance(formula, Power):
        return with_children(formula, (opaque(formula.base), formula.exponent)) if _is_whole(formula.exponent) else _opaque(formula)
    return _opaque(formula) if isinstance(formula, Applied) else with_children(formula, tuple([opaque(part) for part in children(formula)]))


def _is_plain(formula: Formula) -> bool:
    """Whether the algebra reaches into all of a formula as it stands: no operators, and whole numbers for exponents."""
    ahead = [formula]
    while ahead:
        node = ahead.pop()
        if isinstance(node, Power):
            if not (isinstance(node.exponent, Number) and node.exponent.value.denominator == 1):
                return False
            ahead.append(node.base)
        elif isinstance(node, Applied):
            return False
        else:
            ahead.extend(children(node))
    return True


def _is_whole(exponent: Formula) -> bool:
    """Whether an exponent is a whole number."""
    if isinstance(exponent, Number):
        return exponent.value.denominator == 1
    return not exponent.names and value_of(exponent, {}).denominator == 1


def _opaque(formula: Formula) -> Name:
    """A name that is the same for every way to write the parts of the formula."""
    return Name(f"⟦{type(formula).__name__}{' ^ '.join(map(_canonical, children(formula)))}⟧")


def _canonical(formula: Formula) -> str:
    """The normal form as text, its terms in a fixed order."""
    try:
        form = normal(formula)
    except DeriveError:
        return formula.text
    above, below = polynomial.cancelled(form.ring, form.numerator, form.denominator)
    return "/".join(str(sorted((sorted(form.ring.exponents(key)), value) for key, value in terms.items())) for terms in (above, below))


def is_opaque(name: str) -> bool:
    """Whether a name stands for what the algebra does not reach into."""
    return name.startswith("⟦")


def _applied(operator: str, arguments: tuple[Formula, ...], definitions: Mapping[str, Formula]) -> Formula:
    if operator in ("floor", "ceil", "sqrt", "max", "min", "log") and not any(argument.names for argument in arguments):
        return Number(value_of(Applied(operator, arguments), {}))
    if operator == "sum":
        found = _series(*arguments)
        return found if found is not None else Applied(operator, arguments)
    if operator in ("partial", "total"):
        of, name = arguments
        whole = definitions.get(of.name) if isinstance(of, Name) else of
        if whole is not None and isinstance(name, Name) and (operator == "partial" or whole.names == (name.name,)):
            return derivative(whole, name.name)
    if operator == "limit":
        of, name = arguments
        if isinstance(name, Name):
            return limit_of(of.substitute(definitions), (name.name,))
    return Applied(operator, arguments)


def _series(body: Formula, index: Formula, lower: Formula, upper: Formula) -> Formula | None:
    """A sum in closed form where its body is a polynomial of degree three or less in the index."""
    if not isinstance(index, Name) or any(name.endswith(f"_{index.name}") for name in body.names):
        return None
    if index.name not in body.names:
        return Product((Sum((upper, Product((Number(-1), lower)), Number(1))), body))
    terms = by_degree(body, (index.name,))
    if terms[0][0] > 3 or terms[0][0] < 0:
        raise UndecidedError("a sum over a high power of its index")
    closed = []
    for degree, term in terms:
        factor = term.substitute({index.name: 1})
        below = Sum((lower, Number(-1)))
        closed.append(Product((factor, Sum((_powers(degree, upper), Product((Number(-1), _powers(degree, below))))))))
    return closed[0] if len(closed) == 1 else Sum(tuple(closed))


def _powers(degree: int, last: Formula) -> Formula:
    """1^p + 2^p + … + n^p in closed form."""
    n, after = last, Sum((last, Number(1)))
    if degree == 0:
        return n
    if degree == 1:
        return Quotient(Product((n, after)), Number(2))
    if degree == 2:
        return Quotient(Product((n, after, Sum((Product((Number(2), n)), Number(1))))), Number(6))
    return Quotient(Power(Product((n, after)), Number(2)), Number(4))
