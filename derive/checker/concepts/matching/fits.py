"""The ways in which a formula has one of the forms of a concept, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterator

from derive.checker.concepts.concept import Concept, Kind
from derive.checker.concepts.forms.compute import LOOKED_UP
from derive.checker.concepts.forms.parameters import N
from derive.checker.concepts.matching.monomials import TOTALS, Terms, divided, terms_in
from derive.checker.concepts.matching.phrases import SOFT, contradictory, gathered
from derive.checker.concepts.matching.plans import Plan, Speaks, plans
from derive.checker.concepts.matching.shapes import USUAL_EXPERTS, Facts, canonical
from derive.checker.concepts.matching.solving import Picked, solutions
from derive.formula.tree import Formula, Number, Sum, children
from derive.quantities import is_spelled_like_a_quantity, quantities
from derive.records import dataclass

MOST_TERMS = 100
"""A sum of more terms is no formula of this field."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A form that a formula has, under a shape, in a frame, with these choices of its parts."""

    plan: Plan
    frame: int
    picked: Picked

    @property
    def drops(self) -> int:
        return self.picked.count(None)

    @property
    def said(self) -> tuple[str, ...]:
        """Every assumption: of the form, of its shape, of the frame, of the parts."""
        form = self.plan.form
        of_parts = (part.choices[index].assumptions for part, index in zip(form.parts, self.picked, strict=True) if index is not None)
        frame = form.frames[self.frame].assumptions
        return (*form.assumptions, *self.plan.shape.assumptions, *frame, *(each for said in of_parts for each in said))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a fit says: the kind of match and its assumptions; `strict` where nothing may be left out without saying so."""

    fit: Fit
    kind: Kind
    assumptions: tuple[str, ...]
    strict: bool

    @property
    def cost(self) -> tuple[bool, int, int]:
        return self.kind == "approximation", self.fit.drops, len(self.assumptions)


def fits(concept: Concept, formula: Formula, known: Facts) -> Iterator[Fit]:
    """The ways in which the formula has one of the concept's forms; of each form those with the fewest shape assumptions."""
    ready = prepared(concept, formula, known)
    if ready is None:
        return
    written, speaks = ready
    done = -1
    for plan in plans(concept, speaks, known):
        if plan.number != done:
            for fit in _fits(plan, plan.shape.apply(written)):
                if not fit.drops:
                    done = plan.number
                yield fit


def prepared(concept: Concept, formula: Formula, known: Facts) -> tuple[Terms, Speaks] | None:
    """A formula written for the concept as terms, and what it speaks of; None where it is no sum of monomials.

    Where parameters are not meant, and so no rows of a position table, `n_ctx` is the context. Numbers may stand for a number of experts,
    but not where one of our own names is said to be a formula that has no experts in it.
    """
    if isinstance(formula, Sum) and len(formula.terms) > MOST_TERMS:
        return None
    formula = with_named_parts(formula)
    if known:
        formula = formula.substitute(dict(known))
    names = formula.names
    if concept.measure != "parameters" and not concept.own and "n_ctx" in names and "n" not in names:
        formula = formula.substitute({"n_ctx": N})
        names = formula.names
    written = terms_in(formula)
    if not written:
        return None
    counted = "E" not in names and ("m_e" in names or ("m" in names and not concept.own))
    numbers = frozenset(_numbers(formula)) if counted else frozenset[int]()
    return canonical(written, dict(known)), Speaks(frozenset(names), numbers)


def _numbers(formula: Formula) -> Iterator[int]:
    """The numbers of experts that may stand in the formula, alone or multiplied by the matrices of an expert."""
    if isinstance(formula, Number):
        yield from (number for number in USUAL_EXPERTS if formula.value in (number, 2 * number, 3 * number))
    for child in children(formula):
        yield from _numbers(child)


def with_named_parts(formula: Formula) -> Formula:
    """The formula with the engine's own names of parts (`L P_block`) put in; names of whole models stay."""
    spelled = [name for name in formula.names if is_spelled_like_a_quantity(name)]
    known = quantities() if spelled else {}
    named = {name: known[name].formula for name in spelled if name in known and name not in TOTALS}
    return formula.substitute(named) if named else formula


def _fits(plan: Plan, written: Terms) -> Iterator[Fit]:
    candidates = {index for monomial in written for index in plan.by_leading.get(monomial, ())}
    if not candidates:
        return
    compiled = plan.compiled
    for index in sorted(candidates):
        terms = divided(written, compiled.frames[index])
        if terms.keys() <= compiled.allowed:
            for picked in solutions(compiled, terms):
                yield Fit(plan, index, picked)


def judged(concept: Concept, fit: Fit) -> Judged | None:
    """The fit as a verdict; None where it contradicts itself or what the label says."""
    said = fit.said
    if contradictory(frozenset(said) | (concept.hints - SOFT)) or (concept.own and LOOKED_UP in said):
        return None
    kind, assumptions, _ = gathered(fit.plan.form, fit.picked, said, general=fit.plan.general, strict=bool(concept.own))
    needless = fit.plan.form.given | concept.hints
    listed = tuple(each for each in assumptions if each not in needless)
    return Judged(fit, "exact" if kind == "under" and not listed else kind, listed, bool(concept.own))
