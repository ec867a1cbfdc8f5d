"""Whether a formula is what a concept names: the smallest set of assumptions, or of dropped parts, that makes them equal.

The forms that can have a formula's names are laid out once, under each set of shape assumptions (`plans`). A formula is then compared
part by part (`solving`), and only the best fit is written out (`spelling`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from derive.checker.concepts.concept import Concept, Match
from derive.checker.concepts.forms.catalogue import forms_of
from derive.checker.concepts.matching.fits import fits, judged, with_named_parts
from derive.checker.concepts.matching.monomials import known as speakable
from derive.checker.concepts.matching.own_form import is_own
from derive.checker.concepts.matching.shapes import Facts
from derive.checker.concepts.matching.spelling import written_out
from derive.formula.tree import Formula, Number, children
from derive.quantities import quantities


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


def within(concept: Concept, formula: Formula) -> bool:
    """Whether the formula speaks only of what the concept's forms speak of, sizes by name; else that it fits none says little."""
    forms = forms_of(concept)
    known = _WIDTHS.union(*(form.names for form in forms))
    return bool(forms) and known.issuperset(with_named_parts(formula).names) and not _has_sizes(formula)


def _has_sizes(formula: Formula) -> bool:
    """Whether a number stands where a size might: `512d`."""
    if isinstance(formula, Number):
        return not -SMALLEST_SIZE < formula.value < SMALLEST_SIZE
    return any(_has_sizes(child) for child in children(formula))


_WIDTHS = frozenset("d d_q d_kv d_h h h_kv m m_e m_s".split())
SMALLEST_SIZE = 100
"""A larger number in a formula may be a size of some model."""
