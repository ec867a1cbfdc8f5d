"""What dominates as symbols grow: the limit of a ratio, its expansion, the exact error, and the size from which it is small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from derive.algebra.arrange import simplified
from derive.algebra.leading import by_degree
from derive.algebra.normal import normal
from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.calculus.roots import largest_root
from derive.calculus.subject import Subject
from derive.derivation import Derivation, Line, Step, limit
from derive.errors import FormulaError, UndecidedError
from derive.formula.parse import parse
from derive.formula.tidy import add, divide
from derive.formula.tree import Formula, Number, Quotient, Sum, as_formula
from derive.quantities import Counted, quantities
from derive.symbols import BY_NAME
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Dominance:
    """The ratio of a formula to what is thought to lead it.

    `derivation` ends in the limit of the ratio; `error` is exact: how much of the whole the leading formula leaves out.
    """

    derivation: Derivation
    limit: Formula
    error: Formula

    @property
    def dominates(self) -> bool:
        """Whether the ratio tends to 1."""
        return self.limit == Number(1)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least whole size from which the relative error stays below a bound, and the errors at it and just before."""

    symbol: str
    size: int
    error: Fraction
    before: Fraction | None


def read_scaling(text: str) -> tuple[str, ...]:
    """`d->oo` or `d, V -> oo` → the symbols that grow together, in fixed proportion."""
    names, arrow, end = text.replace("→", "->").partition("->")
    found = tuple(name.strip() for name in names.split(","))
    if not arrow or end.strip() not in ("oo", "∞", "inf", "infinity"):
        raise FormulaError("a scaling is written as d->oo, or d,V->oo where both grow in proportion", text)
    for name in found:
        if name not in BY_NAME:
            raise FormulaError(f"unknown symbol '{name[:40]}'; 'derive symbols' lists the known ones", text)
    return found


def dominance(of: Subject, over: Subject, scaling: tuple[str, ...]) -> Dominance:
    """The ratio of two formulas as symbols grow together: its expansion and its limit, proved.

    Raises `FormulaError` for a symbol that occurs in neither, `UndecidedError` where the ratio is 0/0.
    """
    for name in scaling:
        if name not in (*of.closed.names, *over.closed.names):
            raise FormulaError(f"a limit in {name}, which does not occur in the ratio", name)
    ratio = divide(of.closed, over.closed)
    start = Derivation(Quotient(of.asked, over.asked), (Line("=", ratio, Text("closed forms", "闭式")),), {})
    expanded = Step(
        "=", lambda _: expansion(of.closed, over.closed, scaling), Text("term by term, the largest first", "逐项展开，大项在前")
    )
    derived = start.then(expanded, limit(scaling))
    error = simplified(divide(of.closed - over.closed, of.closed))
    return Dominance(derived, derived.result, error)


def expansion(above: Formula, below: Formula, scaling: tuple[str, ...]) -> Formula:
    """`above / below` as a sum of the terms of the numerator, each over the denominator, in falling order of growth."""
    groups = [term for _, group in by_degree(above, scaling) for term in (group.terms if isinstance(group, Sum) else (group,))]
    return add(tuple(simplified(divide(term, below)) for term in groups))


def leading_terms(of: Subject, scaling: tuple[str, ...]) -> list[tuple[int, Formula]]:
    """The terms of a formula by how fast they grow, the fastest first."""
    of.require(scaling, "leading terms in")
    return by_degree(of.closed, scaling)


def terms_by_part(name: str, scaling: tuple[str, ...], conditions: Mapping[str, Formula]) -> list[tuple[int, Formula, str]]:
    """The terms of a counted quantity with the component each comes from, the fastest growing first.

    Empty where the quantity is not a sum over components.
    """
    wanted = next((each for key, each in quantities().items() if key.lower() == name.strip().lower()), None)
    if not isinstance(wanted, Counted) or isinstance(wanted.subject, Component):
        return []
    model = wanted.subject if isinstance(wanted.subject, Model) else Model("", (wanted.subject,))
    usual = {symbol: value for symbol, value in wanted.given.items() if symbol not in conditions}
    rows = []
    for layers, component in model.components:
        part = as_formula(layers * wanted.cost(component)).substitute(usual).substitute(conditions)
        rows += [(degree, term, component.name) for degree, term in by_degree(part, scaling) if term != Number(0)]
    return sorted(rows, key=lambda row: -row[0])


def error_below(error: Formula, symbol: str, bound: Fraction, sizes: Mapping[str, int]) -> Threshold:
    """The least whole size of one symbol from which the error stays below a bound; solved, not searched.

    Raises `FormulaError` where another symbol has no number, `UndecidedError` where the error does not fall below the bound.
    """
    missing = [name for name in error.names if name != symbol and name not in sizes]
    if missing:
        raise FormulaError(f"no number given for {', '.join(missing)}", error.text)
    numbers = {name: Number(size) for name, size in sizes.items() if name != symbol}
    form = normal(error.substitute(numbers))
    if form.ring.names != (symbol,):
        raise FormulaError(f"the error does not depend on {symbol}", error.text)
    difference = normal(error.substitute(numbers) - Number(bound))
    root = largest_root(difference)
    size = max(root, 0) + 1

    def at(value: int) -> Fraction:
        return Fraction(error.evaluate({**sizes, symbol: value}))

    while size > 1 and at(size - 1) < bound:  # the root is known to 1/1000
        size -= 1
    if at(size) >= bound or at(size * 10**6) >= bound:
        raise UndecidedError(f"the error does not fall below {bound}")
    return Threshold(symbol, size, at(size), at(size - 1) if size > 1 else None)


def percent_of(text: str) -> Fraction:
    """`5 %` or `5%` → 1/20."""
    number = parse(text.strip().removesuffix("%"))
    value = Fraction(number.evaluate({})) / 100
    if not 0 < value < 1:
        raise FormulaError("a bound on the error lies between 0 % and 100 %", text)
    return value
