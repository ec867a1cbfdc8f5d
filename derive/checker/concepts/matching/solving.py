"""A form worked out into sums of monomials, and the choices of its parts that add up to a formula.

A choice is given up as soon as a monomial that no later part has is left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TypeAlias

from derive.checker.concepts.forms.form import Form, Part
from derive.checker.concepts.matching.monomials import Factor, Terms, single, subtract, terms_in
from derive.checker.concepts.matching.shapes import Facts, Shape, canonical
from derive.records import dataclass

Picked: TypeAlias = "tuple[int | None, ...]"
"""Which choice of each part, None for a part that was dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A form under a shape.

    `choices` are those of each part; `closing` the monomials that a part is the last to have; `allowed` every monomial; `droppable`
    the parts that may be left out.
    """

    choices: tuple[tuple[Terms, ...], ...]
    closing: tuple[frozenset[int], ...]
    droppable: tuple[bool, ...]
    allowed: frozenset[int]
    frames: tuple[Factor, ...]


def solutions(compiled: Compiled, terms: Terms) -> Iterator[Picked]:
    """The choices of the parts that add up to the terms."""
    return _solutions(compiled, terms, 0)


def _solutions(compiled: Compiled, terms: Terms, at: int) -> Iterator[Picked]:
    if at == len(compiled.choices):
        if not terms:
            yield ()
        return
    closing = compiled.closing[at]
    for index, choice in enumerate(compiled.choices[at]):
        rest = subtract(terms, choice) if choice else terms
        if closing.isdisjoint(rest):
            for picked in _solutions(compiled, rest, at + 1):
                yield (index, *picked)
    if compiled.droppable[at] and closing.isdisjoint(terms):
        for picked in _solutions(compiled, terms, at + 1):
            yield (None, *picked)


@cache
def has_terms(form: Form, facts: Facts) -> bool:
    """Whether every choice of every part is a sum of monomials."""
    return all(each is not None for part in form.parts for each in _terms(part, facts))


@cache
def compiled(form: Form, shape: Shape, facts: Facts) -> Compiled:
    """A form that has terms, under the shape."""
    choices = [_choices(part, shape, facts) for part in form.parts]
    monomials = [frozenset(monomial for choice in part for monomial in choice) for part in choices]
    droppable = tuple(part.left_out is not None for part in form.parts)
    return Compiled(
        tuple(choices),
        tuple(each.difference(*monomials[place + 1 :]) for place, each in enumerate(monomials)),
        droppable,
        frozenset().union(*monomials),
        _frames(form),
    )


@cache
def by_leading(form: Form, shape: Shape, facts: Facts) -> Mapping[int, tuple[int, ...]]:
    """The frames of a form that has terms, by a monomial that the leading part has in them; most forms are done with by this alone."""
    found: dict[int, list[int]] = {}
    for first in {next(iter(choice)) for choice in _choices(form.parts[0], shape, facts) if choice}:
        for index, (_, monomial) in enumerate(_frames(form)):
            found.setdefault(first + monomial, []).append(index)
    return {monomial: tuple(dict.fromkeys(indices)) for monomial, indices in found.items()}


def _frames(form: Form) -> tuple[Factor, ...]:
    return tuple(single(frame.factor) for frame in form.frames)


@cache
def _choices(part: Part, shape: Shape, facts: Facts) -> tuple[Terms, ...]:
    return tuple(shape.apply(each) for each in _terms(part, facts) if each is not None)


@cache
def _terms(part: Part, facts: Facts) -> tuple[Terms | None, ...]:
    """Each choice's formula as terms, worked out once for all of the shapes; None where it is no sum of monomials."""
    known = dict(facts)
    found = (terms_in(choice.formula.substitute(known) if known else choice.formula) for choice in part.choices)
    return tuple(None if terms is None else canonical(terms, known) for terms in found)
