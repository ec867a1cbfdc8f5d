"""The forms that are worth comparing with a formula of certain names, under the shapes worth trying."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from derive.checker.concepts.concept import Concept
from derive.checker.concepts.forms.catalogue import forms_of
from derive.checker.concepts.forms.form import Form, Part
from derive.checker.concepts.matching.monomials import EXPANSIONS
from derive.checker.concepts.matching.shapes import Facts, Shape, shapes
from derive.checker.concepts.matching.solving import Compiled, by_leading, compiled, has_terms
from derive.formula.tree import Formula
from derive.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A form under a shape, and what is `known` of the sizes; `number` is the form's place in its concept.

    `general`: the formulas it is for speak of the widths inside feed-forward networks by name, or need not.
    """

    number: int
    form: Form
    shape: Shape
    known: Facts
    general: bool

    @property
    def compiled(self) -> Compiled:
        """The form worked out."""
        return compiled(self.form, self.shape, self.known)

    @property
    def by_leading(self) -> Mapping[int, tuple[int, ...]]:
        """Its frames, by a monomial of the leading part."""
        return by_leading(self.form, self.shape, self.known)


@dataclass(frozen=True, slots=True)
class Speaks:
    """What a formula speaks of: its names, and the numbers in it that may stand for a number of experts."""

    names: frozenset[str]
    numbers: frozenset[int] = frozenset()


@cache
def plans(concept: Concept, speaks: Speaks, known: Facts) -> tuple[Plan, ...]:
    """The forms that a formula with these names can have, in their order, the fewest shape assumptions first."""
    written = _with_heads(speaks.names)
    forms = forms_of(concept, experts=bool(known or speaks.numbers or speaks.names & {"E", "k"}))
    return tuple(_every(forms, speaks, known, lambda form, shape: _possible(form, shape, written, known)))


@cache
def every_plan(concept: Concept, names: frozenset[str], known: Facts) -> tuple[Plan, ...]:
    """The same for a formula that need not fit: forms that have its names, or else forms that lack only widths, or else all."""
    speaks = Speaks(names)
    wider = _with_heads(names) | {"h", "d_h", "h_kv", "m", "d"}
    return (
        plans(concept, speaks, known)
        or tuple(_every(forms_of(concept), speaks, known, lambda form, shape: _possible(form, shape, wider, known)))
        or tuple(_every(forms_of(concept), speaks, known, lambda form, shape: True))
    )


def _every(forms: tuple[Form, ...], speaks: Speaks, known: Facts, wanted: Callable[[Form, Shape], bool]) -> Iterator[Plan]:
    inner = speaks.names & {"m", "m_e", "m_s", *EXPANSIONS}
    for number, form in enumerate(forms):
        general = bool(inner) or form.names.isdisjoint(("m", "m_e"))
        for shape in shapes(form.names, speaks.names, speaks.numbers):
            if wanted(form, shape) and has_terms(form, known):
                yield Plan(number, form, shape, known, general)


def _with_heads(names: frozenset[str]) -> frozenset[str]:
    """The names that the formula has where widths are written as heads times head size."""
    heads = ({"h", "d_h"} if "d_q" in names else set()) | ({"h_kv", "d_h"} if "d_kv" in names else set())
    return (names - {"d_q", "d_kv"}) | heads


def _possible(form: Form, shape: Shape, written: frozenset[str], known: Facts) -> bool:
    """Whether a formula with these names can have the form: it has the names that the form always has."""
    replaced = dict(shape.replaced)
    if "h_kv" in replaced and "h_kv" in written and "d_kv" not in written:
        return False
    have = written | {"d", "d_h"} if "h" in replaced and "h" in written else written
    facts = dict(known)
    return all(name in have or (name in _WIDTHS and _gone(name, replaced, facts)) for name in _required(form, known))


_WIDTHS = frozenset("E k h h_kv d_h m m_e m_s n_ctx".split())


def _gone(name: str, replaced: Mapping[str, Formula], facts: Mapping[str, Formula]) -> bool:
    """Whether a width does not stand in the form any longer under the shape: `h d_h` is d, and so is `h_kv d_h`."""
    return name in replaced or bool(facts) or (name == "d_h" and "h" in replaced)


@cache
def _required(form: Form, known: Facts) -> frozenset[str]:
    """The names that every choice of every part has which may not be dropped."""
    return frozenset[str]().union(*(_in_every_choice(part, known) for part in form.parts if part.left_out is None))


@cache
def _in_every_choice(part: Part, known: Facts) -> frozenset[str]:
    facts = dict(known)
    formulas = (choice.formula.substitute(facts) if facts else choice.formula for choice in part.choices)
    return frozenset.intersection(*(_with_heads(frozenset(formula.names)) for formula in formulas))
