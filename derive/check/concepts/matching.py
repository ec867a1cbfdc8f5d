"""Whether a formula is what a concept names: the smallest set of assumptions, or of dropped parts, that makes them equal.

Both sides are sums of monomials. For each form and each set of shape assumptions the parts are worked out once; a formula is then
compared part by part, and a choice is given up as soon as a monomial that no later part has is left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from derive.algebra.polynomial import Ring
from derive.check.concepts.catalogue import forms_of
from derive.check.concepts.concept import Concept, Dropped, Kind, Match
from derive.check.concepts.form import Form
from derive.check.concepts.monomials import TOTALS, Factor, Terms, divided, ring_of, single, subtract, terms_in
from derive.check.concepts.phrases import contradictory, gathered
from derive.check.concepts.shapes import DEFINITIONS, Shape, canonical, shapes
from derive.formula.tree import Formula, as_formula, total
from derive.quantities import quantities

Facts: TypeAlias = "tuple[tuple[str, Formula], ...]"
Picked: TypeAlias = "tuple[int | None, ...]"
"""Which choice of each part, None for a part that was dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A form under a shape: the choices of each part as terms, the monomials that a part is the last to have, every monomial, and
    the frames by the monomials that the leading part then has.
    """

    ring: Ring
    choices: tuple[tuple[Terms, ...], ...]
    closing: tuple[frozenset[int], ...]
    allowed: frozenset[int]
    frames: tuple[Factor, ...]
    by_leading: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Fit:
    """A form that a formula has, under a shape, in a frame, with these choices of its parts."""

    form: Form
    shape: Shape
    frame: int
    picked: Picked

    @property
    def drops(self) -> int:
        return sum(choice is None for choice in self.picked)


def match(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Match | None:
    """How the formula is what the concept names; None if it is not, or cannot be compared.

    `facts` are what the document itself says of the sizes, assumed without being listed.
    """
    known = tuple(sorted((facts or {}).items()))
    if concept.own and _is_own(concept.own, formula, known):
        return Match("exact", (), (), quantities()[concept.own].formula)
    found = [each for each in _judged(concept, formula, known) if each is not None]
    return min(found, key=_cost) if found else None


def _judged(concept: Concept, formula: Formula, known: Facts) -> Iterator[Match | None]:
    for fit in fits(concept, formula, known):
        yield described(concept, fit, formula)


def _cost(found: Match) -> tuple[bool, int, int]:
    return found.kind == "approximation", len(found.dropped), len(found.assumptions)


def _is_own(name: str, formula: Formula, known: Facts) -> bool:
    """Whether the formula is the engine's own closed form, before or after its conditions."""
    own = quantities()[name]
    full = formula.substitute({each: quantities()[each].general for each in formula.names if each in quantities() and each != name})
    ring = ring_of(tuple(dict.fromkeys((*full.names, *(each for _, value in known for each in value.names)))))
    written = terms_in(full.substitute(dict(known)), ring)
    for form in (own.formula, own.general):
        if formula == form:
            return True
        terms = terms_in(form.substitute(dict(known)), ring)
        if written is not None and terms is not None:
            if canonical(written, dict(known), ring) == canonical(terms, dict(known), ring):
                return True
            if own.given and canonical(terms_in(full.substitute(own.given), ring) or {}, {}, ring) == canonical(terms, {}, ring):
                return True
    return False


def fits(concept: Concept, formula: Formula, known: Facts) -> Iterator[Fit]:
    """Every way in which the formula has one of the concept's forms, forms in their order, the fewest shape assumptions first."""
    ready = prepared(formula, known)
    if ready is None:
        return
    written, names, ring = ready
    for form in forms_of(concept):
        for shape in shapes(form.names, names):
            yield from _fits(form, shape, shape.apply(written, ring), known, ring)


def prepared(formula: Formula, known: Facts) -> tuple[Terms, frozenset[str], Ring] | None:
    """A written formula as terms, its names, and the ring; None where it is no sum of monomials."""
    formula = _named_parts(formula).substitute(dict(known))
    ring = ring_of(tuple(dict.fromkeys((*formula.names, *(name for _, value in known for name in value.names)))))
    written = terms_in(formula, ring)
    return (canonical(written, dict(known), ring), frozenset(formula.names), ring) if written else None


def _named_parts(formula: Formula) -> Formula:
    """The formula with the engine's own names of parts (`L P_block`) put in; names of whole models stay."""
    known = quantities()
    named = {name: known[name].formula for name in formula.names if name in known and name not in TOTALS}
    return formula.substitute(named) if named else formula


def _fits(form: Form, shape: Shape, written: Terms, known: Facts, ring: Ring) -> Iterator[Fit]:
    compiled = compiled_form(form, shape, known, ring.names)
    if compiled is None:
        return
    candidates = {index for monomial in written for index in compiled.by_leading.get(monomial, ())}
    for index in sorted(candidates):
        terms = divided(written, compiled.frames[index])
        if terms.keys() <= compiled.allowed:
            for picked in _solutions(form, compiled, terms, 0):
                yield Fit(form, shape, index, picked)


def _solutions(form: Form, compiled: Compiled, terms: Terms, at: int) -> Iterator[Picked]:
    """The choices of the parts from `at` on that add up to the terms."""
    if at == len(form.parts):
        if not terms:
            yield ()
        return
    closing = compiled.closing[at]
    for index, choice in enumerate(compiled.choices[at]):
        rest = subtract(terms, choice) if choice else terms
        if closing.isdisjoint(rest):
            for picked in _solutions(form, compiled, rest, at + 1):
                yield (index, *picked)
    if form.parts[at].left_out is not None and closing.isdisjoint(terms):
        for picked in _solutions(form, compiled, terms, at + 1):
            yield (None, *picked)


@cache
def compiled_form(form: Form, shape: Shape, known: Facts, extra: tuple[str, ...]) -> Compiled | None:
    """The form under the shape, worked out; None where it is no sum of monomials."""
    ring = ring_of(extra)
    facts = dict(known)
    choices: list[tuple[Terms, ...]] = []
    for part in form.parts:
        terms = [terms_in(choice.formula.substitute(facts), ring) for choice in part.choices]
        choices.append(tuple(shape.apply(canonical(each, facts, ring), ring) for each in terms if each is not None))
        if len(choices[-1]) < len(terms):
            return None
    frames = tuple(single(frame.factor) for frame in form.frames)
    monomials = [frozenset(monomial for choice in part for monomial in choice) for part in choices]
    closing = tuple(
        each.difference(*monomials[place + 1 :]) for place, each in enumerate(monomials)
    )
    return Compiled(ring, tuple(choices), closing, frozenset().union(*monomials), frames, _by_leading(choices[0], frames))


def _by_leading(leading: tuple[Terms, ...], frames: tuple[Factor, ...]) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = {}
    for first in {next(iter(choice)) for choice in leading if choice}:
        for index, (_, monomial) in enumerate(frames):
            found.setdefault(first + monomial, []).append(index)
    return {monomial: tuple(dict.fromkeys(indices)) for monomial, indices in found.items()}


def described(concept: Concept, fit: Fit, formula: Formula) -> Match | None:
    """The fit as a verdict; None where it contradicts itself or what the label says."""
    said = [*fit.form.assumptions, *fit.shape.assumptions, *fit.form.frames[fit.frame].assumptions]
    for part, index in zip(fit.form.parts, fit.picked, strict=True):
        said += part.choices[index].assumptions if index is not None else ()
    if contradictory((*said, *concept.hints)):
        return None
    kind, assumptions, dropped = gathered(fit.form, fit.picked, tuple(said), fit.shape.assumptions)
    needless = fit.form.given | concept.hints
    listed = tuple(each for each in assumptions if each not in needless)
    writing = spelling(fit, formula).of
    factor = as_formula(fit.form.frames[fit.frame].factor)
    left_out: tuple[Dropped, ...] = tuple((name, writing(factor * each)) for name, each in dropped)
    kept = (part.choices[index].formula for part, index in zip(fit.form.parts, fit.picked, strict=True) if index is not None)
    whole = writing(as_formula(factor * as_formula(total((*kept, *(each for _, each in dropped))))))
    return Match(_kind(kind, listed), listed, left_out, whole)


def _kind(kind: Kind, listed: tuple[str, ...]) -> Kind:
    return "exact" if kind == "under" and not listed else kind


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a form's formulas are written beside a formula: under the shape, and in its names for the widths."""

    replaced: Mapping[str, Formula]

    def of(self, formula: Formula) -> Formula:
        """The formula in those names."""
        return formula.substitute(self.replaced).substitute(self.replaced) if self.replaced else formula


def spelling(fit: Fit, beside: Formula) -> Spelling:
    """`h d_h` where the formula speaks of heads, `d_q` where it does not."""
    names = beside.names
    heads = dict(DEFINITIONS) if "d_h" in names and "d_q" not in names else {}
    return Spelling({**heads, **dict(fit.shape.written)})
