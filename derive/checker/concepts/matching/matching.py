"""Whether a formula is what a concept names: the smallest set of assumptions, or of dropped parts, that makes them equal.

The forms that can have a formula's names are laid out once, under each set of shape assumptions (`plans`). A formula is then compared
part by part (`solving`), and only the best fit is written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from derive.checker.concepts.concept import Concept, Dropped, Kind, Match
from derive.checker.concepts.forms.catalogue import forms_of
from derive.checker.concepts.forms.compute import LOOKED_UP
from derive.checker.concepts.forms.parameters import N
from derive.checker.concepts.matching.monomials import TOTALS, Terms, divided, put_in, single, terms_in
from derive.checker.concepts.matching.monomials import known as speakable
from derive.checker.concepts.matching.phrases import SOFT, contradictory, gathered
from derive.checker.concepts.matching.plans import Plan, Speaks, plans
from derive.checker.concepts.matching.shapes import DEFINITIONS, USUAL_EXPERTS, Facts, Shape, canonical
from derive.checker.concepts.matching.solving import Picked, solutions
from derive.formula.tree import Formula, Name, Number, Sum, as_formula, children, total
from derive.quantities import is_spelled_like_one, quantities
from derive.records import dataclass

SMALLEST_SIZE = 100
"""A larger number in a formula may be a size of some model."""
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


def match(concept: Concept, formula: Formula, facts: Mapping[str, Formula] | None = None) -> Match | None:
    """How the formula is what the concept names; None if it is not, or cannot be compared.

    `facts` are what the document itself says of the sizes, assumed without being listed.
    """
    return _match(informed(concept, facts or {}), formula, usable(facts))


@lru_cache(maxsize=4096)
def _match(concept: Concept, formula: Formula, known: Facts) -> Match | None:
    if concept.own and is_own(concept.own, formula, known):
        return Match("exact", (), (), quantities()[concept.own].formula)
    found = [each for fit in fits(concept, formula, known) if (each := judged(concept, fit)) is not None]
    return written_out(min(found, key=lambda each: each.cost), formula) if found else None


def usable(facts: Mapping[str, Formula] | None) -> Facts:
    """The facts that speak only of sizes that are known here."""
    return tuple(sorted((name, value) for name, value in (facts or {}).items() if speakable((name, *value.names))))


_TOLD = (("b", 1, "8 bit"), ("b", 2, "16 bit"), ("b", 4, "32 bit"), ("c", 1, "tied"), ("c", 2, "untied"))
"""Numbers of a document that say the same as a hint of a label."""


def informed(concept: Concept, facts: Mapping[str, Formula]) -> Concept:
    """The concept with what the document says of the width of numbers and of the output head."""
    told = {said for name, number, said in _TOLD if facts.get(name) == Number(number)}
    return replace(concept, hints=concept.hints | told) if told else concept


def is_own(name: str, formula: Formula, known: Facts) -> bool:
    """Whether the formula is the engine's own closed form, before or after its conditions."""
    every = quantities()
    own = every[name]
    if formula in (own.formula, own.general):
        return True
    named = {each: every[each].general for each in formula.names if each in every and each != name}
    full = formula.substitute({**named, **dict(known)}) if named or known else formula
    general, given = _own_terms(name, known)
    written = terms_in(full)
    if written is None or general is None:
        return False
    return canonical(written, dict(known)) == general or _given(own.given, written, known) == given


@cache
def _own_terms(name: str, known: Facts) -> tuple[Terms | None, Terms | None]:
    """The engine's closed form before and after its conditions, as terms."""
    own = quantities()[name]
    terms = terms_in(own.general.substitute(dict(known)) if known else own.general)
    return (None, None) if terms is None else (canonical(terms, dict(known)), _given(own.given, terms, known))


def _given(given: Mapping[str, Formula], terms: Terms, known: Facts) -> Terms:
    for name, value in given.items():
        terms = put_in(terms, name, single(value))
    return canonical(terms, dict(known))


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
    formula = _named_parts(formula)
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


def _named_parts(formula: Formula) -> Formula:
    """The formula with the engine's own names of parts (`L P_block`) put in; names of whole models stay."""
    spelled = [name for name in formula.names if is_spelled_like_one(name)]
    known = quantities() if spelled else {}
    named = {name: known[name].formula for name in spelled if name in known and name not in TOTALS}
    return formula.substitute(named) if named else formula


def within(concept: Concept, formula: Formula) -> bool:
    """Whether the formula speaks only of what the concept's forms speak of, sizes by name; else that it fits none says little."""
    forms = forms_of(concept)
    known = _WIDTHS.union(*(form.names for form in forms))
    return bool(forms) and known.issuperset(_named_parts(formula).names) and not _has_sizes(formula)


def _has_sizes(formula: Formula) -> bool:
    """Whether a number stands where a size might: `512d`."""
    if isinstance(formula, Number):
        return not -SMALLEST_SIZE < formula.value < SMALLEST_SIZE
    return any(_has_sizes(child) for child in children(formula))


_WIDTHS = frozenset("d d_q d_kv d_h h h_kv m m_e m_s".split())


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


def written_out(found: Judged, formula: Formula) -> Match:
    """The verdict with its formulas, in the names of the formula."""
    dropped, whole = _written_out(found.fit, spelling(found.fit, formula), found.strict)
    return Match(found.kind, found.assumptions, dropped, whole)


@lru_cache(maxsize=4096)
def _written_out(fit: Fit, write: Spelling, strict: bool) -> tuple[tuple[Dropped, ...], Formula]:
    form = fit.plan.form
    _, _, dropped = gathered(form, fit.picked, fit.said, general=fit.plan.general, strict=strict)
    times = form.frames[fit.frame].factor
    left_out = tuple((name, write.of(as_formula(times * each))) for name, each in dropped)
    kept = (part.choices[index].formula for part, index in zip(form.parts, fit.picked, strict=True) if index is not None)
    return left_out, write.of(as_formula(times * as_formula(total((*kept, *(each for _, each in dropped))))))


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a form's formulas are written beside a formula: under the shape, and in its names for the sizes.

    `heads`: `h d_h`, not `d_q`; `rows`: `n_ctx`, not `n`.
    """

    shape: Shape
    heads: bool
    rows: bool

    def of(self, formula: Formula) -> Formula:
        """The formula in those names."""
        heads = dict(DEFINITIONS) if self.heads else {}
        rows: dict[str, Formula] = {"n": Name("n_ctx")} if self.rows else {}
        replaced = {**heads, **rows, **dict(self.shape.written)}
        return formula.substitute(replaced).substitute(replaced) if replaced else formula


def spelling(fit: Fit, beside: Formula) -> Spelling:
    """The names that the formula has for the sizes."""
    names = beside.names
    return Spelling(fit.plan.shape, "d_h" in names and "d_q" not in names, "n_ctx" in names and "n" not in names)
