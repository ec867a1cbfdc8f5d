"""What is wrong with a formula that is not the concept it was written for: the nearest form, the difference, and what that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from heapq import nsmallest
from typing import TypeAlias

from derive.algebra.arrange import residual, simplified
from derive.checker.concepts.concept import Concept, Match, Miss
from derive.checker.concepts.labels.titles import titled
from derive.checker.concepts.matching.explaining import explained, multiple
from derive.checker.concepts.matching.fits import Fit, Judged, judged, prepared
from derive.checker.concepts.matching.matching import informed, match, usable
from derive.checker.concepts.matching.monomials import Terms, divided, subtract
from derive.checker.concepts.matching.plans import Plan, every_plan
from derive.checker.concepts.matching.solving import Compiled, Picked
from derive.checker.concepts.matching.spelling import written_out
from derive.errors import UndecidedError
from derive.formula.tree import Formula, Number, as_formula
from derive.records import dataclass

_BEGINNINGS = 12
"""How many beginnings are kept while the nearest form is looked for."""
_FRAMES = 12
_HALF, _TWO = Fraction(1, 2), Fraction(2)
_FACTORS = (_HALF, _TWO, Fraction(3), Fraction(1, 3), Fraction(4), Fraction(1, 4))
_CONFUSED = ("model", "active model", "non-embedding", "block", "active block", "attention", "ffn", "moe", "head", "ends", "norms")
"""Parameter counts that are taken for one another."""

_Partial: TypeAlias = "tuple[float, Picked, Terms]"


@dataclass(frozen=True, slots=True)
class _Near:
    """A form near a formula, and how far away it is."""

    distance: float
    verdict: Judged


def miss(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Miss:
    """What the formula should have been.

    Raises `UndecidedError` where it cannot be compared: it is no sum of monomials, or the concept has no form.
    """
    known = dict(facts or {})
    concept = informed(concept, known)
    for factor in _FACTORS if concept.measure != "parameters" else (_HALF, _TWO):
        found = match(concept, as_formula(formula / Number(factor)), known)
        if found is not None and found.kind != "approximation":
            return _multiple(concept, formula, found, factor)
    near = _nearest(concept, formula, known)
    if near is None:
        raise UndecidedError(f"{formula.text} cannot be compared with the {concept.name}")
    found_miss = _described(concept, formula, near)
    other = next((each for each in _others(concept) if _is(each, formula, known)), None)
    if other is None:
        return found_miss
    said = f"this is the number of {other.name}, not of {titled(concept.object, concept.measure).name}; {found_miss.explanation}"
    return Miss(found_miss.nearest, found_miss.residual, said, found_miss.assumptions)


def _is(concept: Concept, formula: Formula, known: dict[str, Formula]) -> bool:
    found = match(concept, formula, known)
    return found is not None and found.kind != "approximation"


def _others(concept: Concept) -> Iterator[Concept]:
    """What is easily taken for the concept."""
    if concept.measure == "parameters" and concept.object != "quantity":
        for thing in _CONFUSED:
            if thing != concept.object:
                yield titled(thing, "parameters", concept.per & {"layer", "model"})


def _multiple(concept: Concept, formula: Formula, found: Match, factor: Fraction) -> Miss:
    nearest = simplified(as_formula(formula / Number(factor)))
    return Miss(nearest, residual(formula, nearest), multiple(concept, factor), found.assumptions)


def _nearest(concept: Concept, formula: Formula, facts: dict[str, Formula]) -> _Near | None:
    known = usable(facts)
    ready = prepared(concept, formula, known)
    if ready is None:
        return None
    written, speaks = ready
    found = [near for plan in every_plan(concept, speaks.names, known) for near in _near(concept, plan, plan.shape.apply(written))]
    return min(found, key=lambda each: each.distance) if found else None


def _near(concept: Concept, plan: Plan, written: Terms) -> Iterator[_Near]:
    """The nearest sums of the form's parts, in the frames that the formula's terms allow."""
    leading = {index for monomial in written for index in plan.by_leading.get(monomial, ())}
    for index in sorted(leading)[:_FRAMES] or (0,):
        terms = divided(written, plan.compiled.frames[index])
        for distance, picked in _beam(plan.compiled, terms):
            fit = Fit(plan, index, picked)
            verdict = judged(concept, fit)
            if verdict is not None:
                yield _Near(distance + len(verdict.assumptions) * 0.02 + fit.drops * 0.3, verdict)
                break


def _beam(compiled: Compiled, terms: Terms) -> list[tuple[float, Picked]]:
    """Choices of the parts, kept by how few terms remain."""
    kept: list[_Partial] = [(len(terms), (), terms)]
    for choices, may_go in zip(compiled.choices, compiled.droppable, strict=True):
        further: list[_Partial] = []
        for distance, picked, rest in kept:
            for index, choice in enumerate(choices):
                left = subtract(rest, choice)
                further.append((_size(left, terms), (*picked, index), left))
            if may_go:
                further.append((distance, (*picked, None), rest))
        kept = nsmallest(_BEGINNINGS, further, key=lambda each: each[0])
    return [(distance, picked) for distance, picked, _ in kept]


def _size(rest: Terms, written: Terms) -> float:
    """How much remains: each monomial counts, more if it was not written, or not a whole number of times.

    Of forms equally far away that is nearer whose terms cancel in number: `3E` for `3k`.
    """
    size = 0.0
    for monomial, value in rest.items():
        size += 1.0 if monomial in written else 1.4
        size += 0.3 if value.denominator != 1 else 0.01 * min(abs(float(value)), 50.0)
    return size + 0.05 * min(abs(sum(float(value) for value in rest.values())), 4.0)


def _described(concept: Concept, formula: Formula, near: _Near) -> Miss:
    full = written_out(near.verdict, formula)
    nearest = full.whole
    for _, each in full.dropped:
        nearest = residual(nearest, each)
    difference = residual(formula, nearest)
    return Miss(nearest, difference, explained(concept, near.verdict.fit, formula, nearest, difference), full.assumptions)
