"""Formulas of quantities put into closed form, and the sizes at which a template asks for their numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derive.agreement import check_own
from derive.counting import count_model
from derive.formula.parse import parse, parse_equations
from derive.formula.tree import Formula
from derive.quantities import DEFAULT_VARIANT, Variant, quantities
from derive.reading import ReadModel, read_model


def resolved(formula: Formula, variant: Variant = DEFAULT_VARIANT) -> Formula:
    """The tidy formula with named quantities replaced by their closed forms."""
    return formula.substitute({name: each.formula for name, each in quantities(variant).items() if name in formula.names})


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
    formula = parse(text)
    if read is not None and variant == DEFAULT_VARIANT:
        for name in formula.names:
            if name in quantities():
                check_own(name, Fraction(quantities()[name].formula.evaluate(sizes)), read, sizes)
    return resolved(formula, variant).evaluate(sizes)


def _numbers(text: str) -> dict[str, Any]:
    return {name: value.evaluate({}) for name, value in parse_equations(text)} if text.strip() else {}
