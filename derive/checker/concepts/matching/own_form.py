"""Whether a formula is the engine's own closed form of a quantity."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from derive.checker.concepts.matching.monomials import Terms, put_in, single, terms_in
from derive.checker.concepts.matching.shapes import Facts, canonical
from derive.formula.tree import Formula
from derive.quantities import quantities


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
