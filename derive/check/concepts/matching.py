"""Whether a formula is what a concept names: the smallest set of assumptions, or of dropped parts, that makes them equal.

The forms that can have a formula's names are laid out once, under each set of shape assumptions (`plans`). A formula is then compared
part by part (`solving`), and only the best fit is written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from derive.algebra.polynomial import Ring
from derive.check.concepts.catalogue import forms_of
from derive.check.concepts.concept import Concept, Dropped, Kind, Match
from derive.check.concepts.monomials import TOTALS, Terms, divided, put_in, ring_of, terms_in
from derive.check.concepts.phrases import SOFT, contradictory, gathered
from derive.check.concepts.plans import Facts, Plan, plans
from derive.check.concepts.shapes import DEFINITIONS, canonical, factor
from derive.check.concepts.solving import Picked, solutions
from derive.formula.tree import Formula, as_formula, total
from derive.quantities import quantities


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
    """What a fit says: the kind of match, its assumptions, and the parts that it drops, in the form's own names."""

    fit: Fit
    kind: Kind
    assumptions: tuple[str, ...]
    dropped: tuple[Dropped, ...]

    @property
    def cost(self) -> tuple[bool, int, int]:
        return self.kind == "approximation", self.fit.drops, len(self.assumptions)


def match(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Match | None:
    """How the formula is what the concept names; None if it is not, or cannot be compared.

    `facts` are what the document itself says of the sizes, assumed without being listed.
    """
    known = tuple(sorted(facts.items())) if facts else ()
    if concept.own and is_own(concept.own, formula, known):
        return Match("exact", (), (), quantities()[concept.own].formula)
    found = [each for fit in fits(concept, formula, known) if (each := judged(concept, fit)) is not None]
    return written_out(min(found, key=lambda each: each.cost), formula) if found else None


def is_own(name: str, formula: Formula, known: Facts) -> bool:
    """Whether the formula is the engine's own closed form, before or after its conditions."""
    every = quantities()
    own = every[name]
    if formula in (own.formula, own.general):
        return True
    named = {each: every[each].general for each in formula.names if each in every and each != name}
    full = formula.substitute({**named, **dict(known)}) if named or known else formula
    ring = ring_of((*full.names, *(each for _, value in known for each in value.names)))
    general, given = _own_terms(name, known, ring.names)
    written = terms_in(full, ring)
    if written is None or general is None:
        return False
    return canonical(written, dict(known), ring) == general or _given(own.given, written, known, ring) == given


@cache
def _own_terms(name: str, known: Facts, names: tuple[str, ...]) -> tuple[Terms | None, Terms | None]:
    """The engine's closed form before and after its conditions, as terms."""
    own, ring = quantities()[name], Ring(names)
    terms = terms_in(own.general.substitute(dict(known)) if known else own.general, ring)
    return (None, None) if terms is None else (canonical(terms, dict(known), ring), _given(own.given, terms, known, ring))


def _given(given: Mapping[str, Formula], terms: Terms, known: Facts, ring: Ring) -> Terms:
    for name, value in given.items():
        terms = put_in(terms, name, factor(value, ring), ring)
    return canonical(terms, dict(known), ring)


def fits(concept: Concept, formula: Formula, known: Facts) -> Iterator[Fit]:
    """The ways in which the formula has one of the concept's forms; of each form those with the fewest shape assumptions."""
    ready = prepared(formula, known)
    if ready is None:
        return
    written, names, ring = ready
    done = -1
    for plan in plans(concept, names, known, ring.names):
        if plan.number != done:
            for fit in _fits(plan, plan.shape.apply(written, ring)):
                if not fit.drops:
                    done = plan.number
                yield fit


def prepared(formula: Formula, known: Facts) -> tuple[Terms, frozenset[str], Ring] | None:
    """A written formula as terms, its names, and the ring; None where it is no sum of monomials."""
    formula = _named_parts(formula)
    if known:
        formula = formula.substitute(dict(known))
    names = formula.names
    ring = ring_of((*names, *(name for _, value in known for name in value.names)))
    written = terms_in(formula, ring)
    return (canonical(written, dict(known), ring), frozenset(names), ring) if written else None


def _named_parts(formula: Formula) -> Formula:
    """The formula with the engine's own names of parts (`L P_block`) put in; names of whole models stay."""
    known = quantities()
    named = {name: known[name].formula for name in formula.names if name in known and name not in TOTALS}
    return formula.substitute(named) if named else formula


def within(concept: Concept, formula: Formula) -> bool:
    """Whether the formula speaks only of what the concept's forms speak of; else that it fits none says little."""
    known = _WIDTHS.union(*(form.names for form in forms_of(concept)))
    return known.issuperset(_named_parts(formula).names)


_WIDTHS = frozenset("d d_q d_kv d_h h h_kv m m_e m_s".split())


def _fits(plan: Plan, written: Terms) -> Iterator[Fit]:
    compiled = plan.compiled
    candidates = {index for monomial in written for index in compiled.by_leading.get(monomial, ())}
    for index in sorted(candidates):
        terms = divided(written, compiled.frames[index])
        if terms.keys() <= compiled.allowed:
            for picked in solutions(compiled, terms):
                yield Fit(plan, index, picked)


def judged(concept: Concept, fit: Fit) -> Judged | None:
    """The fit as a verdict; None where it contradicts itself or what the label says."""
    said = fit.said
    if contradictory(frozenset(said) | (concept.hints - SOFT)):
        return None
    kind, assumptions, dropped = gathered(fit.plan.form, fit.picked, said, fit.plan.shape.assumptions)
    needless = fit.plan.form.given | concept.hints
    listed = tuple(each for each in assumptions if each not in needless)
    return Judged(fit, "exact" if kind == "under" and not listed else kind, listed, dropped)


def written_out(found: Judged, formula: Formula) -> Match:
    """The verdict with its formulas, in the names of the formula."""
    fit, form = found.fit, found.fit.plan.form
    write = spelling(fit, formula).of
    times = form.frames[fit.frame].factor
    left_out = tuple((name, write(as_formula(times * each))) for name, each in found.dropped)
    kept = (part.choices[index].formula for part, index in zip(form.parts, fit.picked, strict=True) if index is not None)
    whole = write(as_formula(times * as_formula(total((*kept, *(each for _, each in found.dropped))))))
    return Match(found.kind, found.assumptions, left_out, whole)


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
    return Spelling({**heads, **dict(fit.plan.shape.written)})
