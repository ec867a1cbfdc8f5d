"""What a difference between a formula and the nearest form is, in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.algebra.normal import equal
from derive.checker.concepts.concept import Concept
from derive.checker.concepts.forms.parameters import D, M, V, attention_weights
from derive.checker.concepts.matching.fits import Fit
from derive.checker.concepts.matching.spelling import spelling
from derive.formula import tidy
from derive.formula.tree import Formula, Number, as_formula, terms_of
from derive.quantities.quantity import s

_WHOLE = ("model", "active model", "non-embedding")


def multiple(concept: Concept, factor: Fraction) -> str:
    """What it means that a formula is `factor` times the right one."""
    if factor == Fraction(1, 2) and concept.object == "cache":
        return "keys and values are both kept: a factor 2 is missing"
    if factor == Fraction(1, 2) and concept.measure == "flops":
        return "counts multiply-adds; FLOPs are twice as many"
    if factor < 1:
        return f"a factor {Number(1 / factor).text} is missing"
    return f"{Number(factor).text} times as much"


def explained(concept: Concept, fit: Fit, written: Formula, nearest: Formula, left: Formula) -> str:
    """One line on what the difference is: a part too many, a part that is missing, or another coefficient."""
    if concept.object in _WHOLE and len(terms_of(written)) == 1 and (said := _coefficients(written, nearest)):
        return said
    factor = fit.plan.form.frames[fit.frame].factor
    write = spelling(fit, written).of
    for name, piece in _pieces(fit, concept):
        formula = write(as_formula(factor * piece))
        if equal(left, -formula):
            return f"missing {formula.text}: {name}"
        if equal(left, formula):
            return f"{formula.text} too much: {name} counted once more"
    return _coefficients(written, nearest) or f"differs by {left.text}"


def _pieces(fit: Fit, concept: Concept) -> Iterator[tuple[str, Formula]]:
    """Things that are often forgotten or counted twice, by name."""
    times = s("L") if concept.object in _WHOLE else Number(1)
    scale = 2 if concept.measure in ("flops", "macs") else 1
    for part in fit.plan.form.parts:
        for choice in part.choices:
            if choice.formula != Number(0):
                yield f"the {part.name}", choice.formula
    inside = (
        ("the key and value projections", attention_weights("K", "V")),
        ("one of the key and value projections", attention_weights("K")),
        ("the output projection", attention_weights("O")),
        ("one matrix of the feed-forward network", as_formula(D * M)),
        ("one vector of width d", D),
        ("two vectors of width d", as_formula(2 * D)),
    )
    for name, formula in inside:
        yield name, as_formula(scale * times * formula)
    yield "one matrix of the embedding's size, the untied head", as_formula(scale * V * D)
    yield "one vector of width d", as_formula(scale * D)


def _coefficients(written: Formula, nearest: Formula) -> str:
    """Where the same term stands on both sides with another number."""
    ours = {frozenset(factors): number for number, factors in map(tidy.split, terms_of(nearest.expand()))}
    said = []
    for number, factors in map(tidy.split, terms_of(written.expand())):
        right = ours.get(frozenset(factors))
        if right is not None and right != number:
            said.append(f"the coefficient of {tidy.multiply(factors).text} is {Number(right).text}, not {Number(number).text}")
    return "; ".join(said)
