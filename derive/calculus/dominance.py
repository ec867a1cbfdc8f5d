"""What dominates as symbols grow: the limit of a ratio, its expansion, the exact error, and the size from which it is small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from derive.algebra.arrange import simplified
from derive.algebra.leading import by_degree, is_polynomial, limit_of
from derive.algebra.normal import normal
from derive.algebra.polynomial import Ring
from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.calculus.roots import least_whole_above
from derive.calculus.subject import Subject
from derive.conditions import check_growing
from derive.derivation import Derivation, Step, begin, limit
from derive.errors import FormulaError, UndecidedError
from derive.formula.numbers import decimal
from derive.formula.parse import parse
from derive.formula.tidy import add, divide
from derive.formula.tree import Formula, Number, Quotient, as_formula, terms_of
from derive.quantities import DEFAULT_VARIANT, Counted, Variant, quantities
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
    if len(set(found)) < len(found):
        raise FormulaError("each symbol grows once", text)
    return found


def dominance(of: Subject, over: Subject, scaling: tuple[str, ...]) -> Dominance:
    """The ratio of two formulas as symbols grow together: its expansion and its limit, proved.

    Raises `FormulaError` for a symbol that occurs in neither, `UndecidedError` where the ratio is 0/0.
    """
    check_growing(scaling, {**over.conditions, **of.conditions})
    for name in scaling:
        if name not in (*of.closed.names, *over.closed.names):
            raise FormulaError(f"a limit in {name}, which does not occur in the ratio", name)
    if not normal(over.closed).numerator:
        raise FormulaError("a ratio to zero", over.asked.text)
    ratio = divide(of.closed, over.closed)
    start = begin(Quotient(of.asked, over.asked), ratio, Text("closed forms", "闭式"))
    expanded = Step(
        "=", lambda _: expansion(of.closed, over.closed, scaling), Text("term by term, the largest first", "逐项展开，大项在前")
    )
    derived = start.then(expanded, limit(scaling))
    error = simplified(divide(of.closed - over.closed, of.closed))
    return Dominance(derived, derived.result, error)


def expansion(above: Formula, below: Formula, scaling: tuple[str, ...]) -> Formula:
    """`above / below` as a sum of the terms of the numerator, each over the denominator, in falling order of growth.

    Where the numerator is no polynomial, the ratio stays one.
    """
    ratio = simplified(divide(above, below))
    if isinstance(ratio, Number) or not is_polynomial(above):
        return ratio
    groups = [term for _, group in by_degree(above, scaling) for term in terms_of(group)]
    return add(tuple(simplified(divide(term, below)) for term in groups))


def leading_terms(of: Subject, scaling: tuple[str, ...]) -> list[tuple[int, Formula]]:
    """The terms of a formula by how fast they grow, the fastest first."""
    of.require(scaling, "leading terms in")
    check_growing(scaling, of.conditions)
    return by_degree(of.closed, scaling)


def terms_by_part(
    name: str, scaling: tuple[str, ...], conditions: Mapping[str, Formula], variant: Variant = DEFAULT_VARIANT
) -> list[tuple[int, Formula, str]]:
    """The terms of a counted quantity, one by one, with the component each comes from, the fastest growing first.

    Empty where the quantity is not a sum over components.
    """
    wanted = next((each for key, each in quantities(variant).items() if key.lower() == name.strip().lower()), None)
    if not isinstance(wanted, Counted) or isinstance(wanted.subject, Component):
        return []
    model = wanted.subject if isinstance(wanted.subject, Model) else Model("", (wanted.subject,))
    usual = {symbol: value for symbol, value in wanted.given.items() if symbol not in conditions}
    rows = []
    for layers, component in model.components:
        part = as_formula(layers * wanted.cost(component)).substitute(usual).substitute(conditions)
        for degree, group in by_degree(part, scaling):
            rows += [(degree, term, component.name) for term in terms_of(group) if term != Number(0)]
    return sorted(rows, key=lambda row: -row[0])


def error_below(error: Formula, scaling: tuple[str, ...], bound: Fraction, sizes: Mapping[str, int]) -> Threshold:
    """The least whole size from which the error, of either sign, stays below a bound; solved, not searched.

    Raises `FormulaError` where several symbols grow or one that does not has no number, `UndecidedError` where the error
    does not stay below the bound.
    """
    if len(scaling) > 1:
        tie = f"{scaling[1]} = {scaling[0]}/128"
        raise FormulaError(
            f"the size from which an error is small needs one symbol that grows; tie the others to it, as in --given '{tie}'",
            ", ".join(scaling),
        )
    (symbol,) = scaling
    missing = [name for name in error.names if name != symbol and name not in sizes]
    if missing:
        raise FormulaError(f"no number given for {', '.join(missing)}", error.text)
    numbers = {name: Number(size) for name, size in sizes.items() if name != symbol}
    form = normal(error.substitute(numbers))
    if form.ring.names != (symbol,):
        raise FormulaError(f"the error does not depend on {symbol}", error.text)
    places = [normal(error.substitute(numbers) + Number(sign * bound)) for sign in (-1, 1)]
    ring, polynomials = Ring((symbol,)), [form.denominator, *(place.numerator for place in places)]
    size = least_whole_above(polynomials, ring)  # beyond it the error neither leaves nor enters the band, and has no pole

    def at(value: int) -> Fraction:
        return Fraction(error.evaluate({**sizes, symbol: value}))

    if abs(at(size)) >= bound:
        raise UndecidedError(
            f"the error does not stay below {decimal(bound * 100, 6)} %: it tends to {limit_of(error.substitute(numbers), scaling).text}"
        )
    return Threshold(symbol, size, at(size), at(size - 1) if size > 1 else None)


def percent_of(text: str) -> Fraction:
    """`5 %` or `5%` → 1/20."""
    number = parse(text.strip().removesuffix("%"))
    if number.names or not text.strip().endswith("%"):
        raise FormulaError("a bound is a percentage, as in 5%", text)
    value = Fraction(number.evaluate({})) / 100
    if not 0 < value < 1:
        raise FormulaError("a bound on the error lies between 0 % and 100 %", text)
    return value
