"""The forms that are worth comparing with a formula of certain names, under the shapes worth trying."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from derive.algebra.polynomial import Ring
from derive.check.concepts.catalogue import forms_of
from derive.check.concepts.concept import Concept
from derive.check.concepts.form import Form
from derive.check.concepts.shapes import Shape, shapes
from derive.check.concepts.solving import Compiled, compiled
from derive.formula.tree import Formula

Facts: TypeAlias = "tuple[tuple[str, Formula], ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A form under a shape, worked out; `number` is the form's place in its concept."""

    number: int
    form: Form
    shape: Shape
    compiled: Compiled


@cache
def plans(concept: Concept, names: frozenset[str], known: Facts, ring: tuple[str, ...]) -> tuple[Plan, ...]:
    """The forms that a formula with these names can have, in their order, the fewest shape assumptions first."""
    written = _with_heads(names)
    return tuple(_every(concept, names, known, ring, lambda form, shape: _possible(form, shape, written, known)))


@cache
def every_plan(concept: Concept, names: frozenset[str], known: Facts, ring: tuple[str, ...]) -> tuple[Plan, ...]:
    """The same for a formula that need not fit: all forms without a name of their own that it lacks, or else all of them."""
    written = _with_heads(names) | {"h", "d_h", "h_kv", "m", "d", "d_q", "d_kv"}
    near = tuple(_every(concept, names, known, ring, lambda form, shape: _possible(form, shape, written, known)))
    return near or tuple(_every(concept, names, known, ring, lambda form, shape: True))


def _every(
    concept: Concept, names: frozenset[str], known: Facts, ring: tuple[str, ...], wanted: Callable[[Form, Shape], bool]
) -> Iterator[Plan]:
    for number, form in enumerate(forms_of(concept)):
        for shape in shapes(form.names, names):
            if wanted(form, shape) and (found := _compiled(form, shape, known, ring)) is not None:
                yield Plan(number, form, shape, found)


@cache
def _compiled(form: Form, shape: Shape, known: Facts, ring: tuple[str, ...]) -> Compiled | None:
    return compiled(form, shape, dict(known), Ring(ring))


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
    return all(name in have or (name in _WIDTHS and _gone(name, replaced, facts, have)) for name in _required(form, known))


_WIDTHS = frozenset("h h_kv d_h m m_e m_s n_ctx".split())


def _gone(name: str, replaced: Mapping[str, Formula], facts: Mapping[str, Formula], have: frozenset[str]) -> bool:
    """Whether a width does not stand in the form any longer under the shape: `h d_h` is d, and so is `h_kv d_h`."""
    if name in replaced:
        return True
    if name == "d_h":
        return "h" in replaced
    return bool(facts)


@cache
def _required(form: Form, known: Facts) -> frozenset[str]:
    """The names that every choice of every part has which may not be dropped."""
    facts = dict(known)
    found: frozenset[str] = frozenset()
    for part in form.parts:
        if part.left_out is None:
            names = (_with_heads(frozenset(choice.formula.substitute(facts).names)) for choice in part.choices)
            found |= frozenset.intersection(*names)
    return found
