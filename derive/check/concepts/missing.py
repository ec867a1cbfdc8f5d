"""What is wrong with a formula that is not the concept it was written for: the nearest form, the difference, and what that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import nsmallest

from derive.algebra.arrange import residual
from derive.algebra.polynomial import Ring
from derive.check.concepts.catalogue import forms_of
from derive.check.concepts.concept import Concept, Match, Miss
from derive.check.concepts.explaining import explained
from derive.check.concepts.form import Form
from derive.check.concepts.matching import Compiled, Facts, Fit, compiled_form, described, match, prepared
from derive.check.concepts.monomials import Terms, divided, subtract
from derive.check.concepts.shapes import shapes
from derive.check.concepts.titles import titled
from derive.formula.tree import Formula, Number, as_formula

_FACTORS = tuple(Fraction(*pair) for pair in ((1, 2), (2, 1), (3, 1), (1, 3), (4, 1), (1, 4), (3, 2), (2, 3)))
_WIDTH = 12
"""How many beginnings are kept while the nearest form is looked for."""
_FRAMES = 12


@dataclass(frozen=True, slots=True)
class _Near:
    """A form near a formula, and how far away it is."""

    distance: float
    fit: Fit


def miss(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Miss | None:
    """What the formula should have been; None where it cannot be compared with any form of the concept."""
    known = dict(facts or {})
    for other in _others(concept):
        found = match(other, formula, known)
        if found is not None and found.kind != "approximation":
            return _other_concept(concept, other, formula, known)
    for factor in _FACTORS:
        found = match(concept, formula / Number(factor), known)
        if found is not None:
            return _multiple(concept, formula, found, factor)
    near = _nearest(concept, formula, tuple(sorted(known.items())))
    return None if near is None else _described(concept, formula, near)


def _others(concept: Concept) -> Iterator[Concept]:
    """What is easily taken for the concept."""
    if concept.measure == "flops":
        yield titled(Concept("", concept.title, concept.object, "macs", concept.per, concept.hints))
        return
    things = ("model", "active model", "non-embedding", "block", "active block", "attention", "ffn", "moe", "head", "ends", "norms")
    if concept.measure == "parameters" and concept.object != "quantity":
        for thing in things:
            if thing != concept.object:
                yield titled(Concept("", concept.title, thing, "parameters", concept.per & {"layer", "model"}))


def _other_concept(concept: Concept, other: Concept, formula: Formula, known: dict[str, Formula]) -> Miss | None:
    if other.measure == "macs":
        found = match(concept, 2 * formula, known)
        nearest = found.whole if found else 2 * formula
        return Miss(nearest, residual(formula, nearest), "counts multiply-adds; FLOPs are twice as many", found.assumptions if found else ())
    near = _nearest(concept, formula, tuple(sorted(known.items())))
    said = f"this is the number of {other.name}, not of {_called(concept)}"
    if near is None:
        return None
    found = _described(concept, formula, near)
    return Miss(found.nearest, found.residual, f"{said}; {found.explanation}", found.assumptions)


def _called(concept: Concept) -> str:
    return titled(concept).name


def _multiple(concept: Concept, formula: Formula, found: Match, factor: Fraction) -> Miss:
    nearest = as_formula(formula / Number(factor))
    if concept.object == "cache" and factor == Fraction(1, 2):
        said = "keys and values are both kept: a factor 2 is missing"
    elif factor == Fraction(1, 2):
        said = "half of it: a factor 2 is missing"
    elif factor < 1:
        said = f"a factor {Number(1 / factor).text} is missing"
    else:
        said = f"{Number(factor).text} times as much"
    return Miss(nearest, residual(formula, nearest), said, found.assumptions)


def _nearest(concept: Concept, formula: Formula, known: Facts) -> _Near | None:
    ready = prepared(formula, known)
    if ready is None:
        return None
    written, names, ring = ready
    found: list[_Near] = []
    for form in forms_of(concept):
        for shape in shapes(form.names, names):
            compiled = compiled_form(form, shape, known, ring.names)
            if compiled is not None:
                found += _near(concept, Fit(form, shape, 0, ()), compiled, shape.apply(written, ring), ring)
    return min(found, key=lambda each: each.distance) if found else None


def _near(concept: Concept, empty: Fit, compiled: Compiled, written: Terms, ring: Ring) -> Iterator[_Near]:
    """The nearest sums of the form's parts, in the frames that the formula's terms allow."""
    form = empty.form
    leading = {index for monomial in written for index in compiled.by_leading.get(monomial, ())}
    for index in sorted(leading)[:_FRAMES] or (0,):
        terms = divided(written, compiled.frames[index])
        for distance, picked in _beam(form, compiled, terms):
            fit = replace(empty, frame=index, picked=picked)
            if described(concept, fit, Number(0)) is not None:
                said = len(fit.shape.assumptions) + len(form.assumptions) + len(form.frames[index].assumptions)
                yield _Near(distance + said * 0.02 + fit.drops * 0.3, fit)


def _beam(form: Form, compiled: Compiled, terms: Terms) -> list[tuple[float, tuple[int | None, ...]]]:
    """Choices of the parts, kept by how few terms remain."""
    kept: list[tuple[float, tuple[int | None, ...], Terms]] = [(len(terms), (), terms)]
    for part, choices in zip(form.parts, compiled.choices, strict=True):
        further: list[tuple[float, tuple[int | None, ...], Terms]] = []
        for _, picked, rest in kept:
            for index, choice in enumerate(choices):
                left = subtract(rest, choice)
                further.append((_size(left, terms), (*picked, index), left))
            if part.left_out is not None:
                further.append((_size(rest, terms), (*picked, None), rest))
        kept = nsmallest(_WIDTH, further, key=lambda each: each[0])
    return [(distance, picked) for distance, picked, _ in kept[:4]]


def _size(rest: Terms, written: Terms) -> float:
    """How much remains: each monomial counts, one that was not written more."""
    return sum((1.0 if monomial in written else 1.4) + min(abs(float(value)), 50) * 0.01 for monomial, value in rest.items())


def _described(concept: Concept, formula: Formula, near: _Near) -> Miss:
    found = described(concept, near.fit, formula)
    if found is None:
        raise TypeError("a form that was looked at contradicts itself")
    nearest = found.whole
    for _, each in found.dropped:
        nearest = residual(nearest, each)
    difference = residual(formula, nearest)
    return Miss(nearest, difference, explained(concept, near.fit, formula, nearest, difference), found.assumptions)
