"""A form worked out into sums of monomials, and the choices of its parts that add up to a formula.

A choice is given up as soon as a monomial that no later part has is left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TypeAlias

from derive.checker.concepts.form import Form
from derive.checker.concepts.monomials import Factor, Terms, single, subtract, terms_in
from derive.checker.concepts.shapes import Facts, Shape, canonical
from derive.formula.tree import Formula
from derive.records import dataclass

Picked: TypeAlias = "tuple[int | None, ...]"
"""Which choice of each part, None for a part that was dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A form under a shape.

    `choices` are those of each part; `closing` the monomials that a part is the last to have; `allowed` every monomial; `droppable`
    the parts that may be left out. `by_leading` finds the frames by a monomial that the leading part has in them.
    """

    choices: tuple[tuple[Terms, ...], ...]
    closing: tuple[frozenset[int], ...]
    droppable: tuple[bool, ...]
    allowed: frozenset[int]
    frames: tuple[Factor, ...]
    by_leading: Mapping[int, tuple[int, ...]]


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


def compiled(form: Form, shape: Shape, facts: Facts) -> Compiled | None:
    """The form under the shape; None where it is no sum of monomials."""
    choices: list[tuple[Terms, ...]] = []
    for part in form.parts:
        terms = [_terms(choice.formula, facts) for choice in part.choices]
        choices.append(tuple(shape.apply(each) for each in terms if each is not None))
        if len(choices[-1]) < len(terms):
            return None
    frames = tuple(single(frame.factor) for frame in form.frames)
    monomials = [frozenset(monomial for choice in part for monomial in choice) for part in choices]
    droppable = tuple(part.left_out is not None for part in form.parts)
    return Compiled(
        tuple(choices),
        tuple(each.difference(*monomials[place + 1 :]) for place, each in enumerate(monomials)),
        droppable,
        frozenset().union(*monomials),
        frames,
        _by_leading(choices[0], frames),
    )


@cache
def _terms(formula: Formula, facts: Facts) -> Terms | None:
    """A choice's formula as terms, worked out once for all of the shapes; None where it is no sum of monomials."""
    known = dict(facts)
    terms = terms_in(formula.substitute(known) if known else formula)
    return None if terms is None else canonical(terms, known)


def _by_leading(leading: tuple[Terms, ...], frames: tuple[Factor, ...]) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = {}
    for first in {next(iter(choice)) for choice in leading if choice}:
        for index, (_, monomial) in enumerate(frames):
            found.setdefault(first + monomial, []).append(index)
    return {monomial: tuple(dict.fromkeys(indices)) for monomial, indices in found.items()}
