"""Formulas of quantities put into closed form, the conditions they are under, and the sizes at which a template asks for numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal, TypedDict

from derive.agreement import check_own
from derive.architecture.component import stored
from derive.architecture.model import Layers
from derive.book.functions.known_names import read_formula
from derive.book.writing import Dialect
from derive.conditions import Sizes, check_possible, check_together, read_conditions
from derive.counting import count, count_model
from derive.errors import ChapterError, FormulaError
from derive.formula.parse import parse_equations
from derive.formula.tree import Formula, Name, Number, as_formula
from derive.quantities import DEFAULT_VARIANT, Counted, Quantity, Variant, quantities
from derive.reading import ReadModel, read_model
from derive.symbols import BY_NAME


class Options(TypedDict, total=False):
    """The options of a quantity, as templates and `derive show` have them: those of `Variant`."""

    bias: bool
    head_bias: bool
    ffn: Literal["gated", "two-matrix"]
    norm: Literal["rms", "layer"]
    positions: bool
    shared: bool


def resolved(formula: Formula, variant: Variant = DEFAULT_VARIANT, given: Mapping[str, Formula] | None = None) -> Formula:
    """The tidy formula with named quantities replaced by their closed forms, under conditions."""
    assumed = given or {}
    forms = {name: under(each, assumed).formula for name, each in quantities(variant).items() if name in formula.names}
    closed = formula.substitute(forms)
    return closed.substitute(assumed) if assumed else closed


def under(wanted: Quantity, given: Mapping[str, Formula]) -> Quantity:
    """The quantity without the usual conditions on symbols of which something else is given."""
    return replace(wanted, given={symbol: value for symbol, value in wanted.given.items() if symbol not in given})


def conditions_on(text: str, names: Collection[str]) -> dict[str, Formula]:
    """The conditions of a template; `FormulaError` for one of a symbol that is none of `names`, nor stands in another condition."""
    if not text.strip():
        return {}
    occurring = {*names, *(name for _, value in parse_equations(text) for name in value.names)}
    given = read_conditions(text)
    for symbol in given:
        if symbol not in occurring:
            raise FormulaError(f"a condition on {symbol}, which does not occur here", text)
    return given


def sizes_of(at: str) -> tuple[dict[str, Any], ReadModel | None]:
    """Sizes by symbol: `L=32, d=4096`; a model; or a model and then more sizes, `LLaMA-7B, n=2048`.

    A model has two further ones, `P` for its exact total and `P_act` for its active parameters. Names beside the vocabulary
    are allowed, since a chapter may invent a model (`P_common=2, E=8`).
    """
    first, _, rest = at.partition(",")
    if "=" in first or not at.strip():
        return _numbers(at), None
    read = read_model(first.strip())
    counted = count_model(read)
    own = {**read.sizes, "P": counted.total, "P_act": counted.active}
    return {**own, **_numbers(rest)}, read


def value_of(text: str, at: str = "", variant: Variant = DEFAULT_VARIANT) -> Any:
    """The number that a formula comes to; `DeriveError` where a model has another number under the name of a quantity."""
    sizes, read = sizes_of(at)
    formula = read_formula(text, sizes)
    check_model(formula.names, variant, sizes, read)
    return resolved(formula, variant).evaluate(sizes)


def check_model(names: Collection[str], variant: Variant, sizes: Mapping[str, Any], read: ReadModel | None) -> None:
    """`FormulaError` where a model has no such quantity among `names`, or another number under its name.

    A layer has no name in a model, so that its parts are looked at, each of which the model must have.
    """
    known = quantities(variant)
    for name in names:
        if read is not None and name in known:
            check_quantity(known[name], sizes, read)


def check_quantity(wanted: Quantity, sizes: Mapping[str, Any], read: ReadModel) -> None:
    """The same for one quantity."""
    check_own(wanted.name, None, read, sizes)
    check_assumed(wanted.given, wanted.name, sizes, read)
    if isinstance(wanted, Counted) and isinstance(wanted.subject, Layers):
        _check_parts(wanted.name, wanted.subject, sizes, read)
    else:
        check_own(wanted.name, _evaluated(wanted.formula, sizes), read, sizes)


def check_assumed(conditions: Mapping[str, Formula], at: str, sizes: Mapping[str, Any], read: ReadModel | None) -> None:
    """`FormulaError` where conditions contradict the sizes."""
    check_together(conditions, Sizes(sizes, read), at)


def size_of(model: str, sizes: Mapping[str, int], symbol: str) -> int:
    """One size of a model; `ChapterError` where it has none."""
    if symbol not in sizes:
        raise ChapterError(f"{model} has no size {symbol}; it has {', '.join(sizes)}")
    return sizes[symbol]


def counted_as(model: str, convention: str) -> int:
    """A model's count under a convention; `ChapterError` names those that it has."""
    counts = count(model)
    if convention not in counts.parameters:
        raise ChapterError(f"no convention '{convention}' of {counts.model}; it has {', '.join(counts.parameters)}")
    return counts.parameters[convention]


def _check_parts(name: str, layer: Layers, sizes: Mapping[str, Any], read: ReadModel) -> None:
    own = {component.symbol: component for _, component in read.numbers.components}
    for part in layer.components:
        if part.symbol not in own:
            raise FormulaError(f"{name} has {part.symbol}, which {read.name} has not; 'derive count' shows what it has", name)
    for part in layer.components:
        check_own(part.symbol, _evaluated(as_formula(stored(part.tensors)), sizes), read, sizes)
        copies = _evaluated(as_formula(part.copies), sizes)
        if copies != own[part.symbol].copies:
            raise FormulaError(f"{name} has {part.symbol} {copies} times, {read.name} {own[part.symbol].copies} times", name)


def _evaluated(formula: Formula, sizes: Mapping[str, Any]) -> Fraction:
    return Fraction(formula.evaluate(sizes))


def _numbers(text: str) -> dict[str, Any]:
    """Numbers by name; those of the vocabulary's symbols must be possible."""
    numbers = {name: value.evaluate({}) for name, value in parse_equations(text)} if text.strip() else {}
    for name, value in numbers.items():
        if name in BY_NAME and not (value > 0 and (name == "b" or value == int(value))):
            raise FormulaError(f"{name} must be a positive whole number, not {value}", text)
    check_possible(numbers, text)
    return numbers


def place_of(at: str, dialect: Dialect) -> str:
    """Where numbers are taken, in a sentence: a model by its name, sizes as equations."""
    model, _, more = at.partition(",")
    read = sizes_of(model)[1]
    sizes = sizes_of(more if read else at)[0]
    equations = ", ".join(f"{dialect.write(Name(name))} = {dialect.write(Number(size))}" for name, size in sizes.items())
    return ", ".join((*([read.name] if read else []), *([f"${equations}$"] if equations else [])))
