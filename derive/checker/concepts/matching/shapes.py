"""Assumptions about widths that turn one name into others: `d_kv = d`, `m = 4d`, one key/value head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from derive.checker.concepts.matching.monomials import EXPANSIONS, Terms, one_term, put_in, single
from derive.formula.tree import Formula, Name, Number
from derive.records import dataclass

Facts: TypeAlias = "tuple[tuple[str, Formula], ...]"
"""What a document says of the sizes."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Names that are replaced, in order, and the assumptions that allow it; `written` does the same to a formula."""

    assumptions: tuple[str, ...]
    replaced: tuple[tuple[str, Formula], ...]
    written: tuple[tuple[str, Formula], ...]

    def apply(self, terms: Terms) -> Terms:
        """The terms under these assumptions."""
        for name, value in self.replaced:
            terms = put_in(terms, name, single(value))
        return terms

    def joined(self, other: Shape) -> Shape:
        """Both."""
        return Shape((*self.assumptions, *other.assumptions), (*self.replaced, *other.replaced), (*self.written, *other.written))


_D, _H, _H_KV, _D_H, _M = (Name(name) for name in ("d", "h", "h_kv", "d_h", "m"))
DEFINITIONS: tuple[tuple[str, Formula], ...] = (("d_q", _H * _D_H), ("d_kv", _H_KV * _D_H))
"""What the vocabulary says of the widths: no assumption."""

_NONE = Shape((), (), ())
_FULL = (("h", _D / _D_H),)
_ATTENTION: tuple[Shape, ...] = (
    _NONE,
    Shape(("d_q = d",), _FULL, (("d_q", _D),)),
    Shape(("multi-head attention",), (("h_kv", _H),), (("d_kv", Name("d_q")), ("h_kv", _H))),
    Shape(("d_q = d", "d_kv = d"), (("h_kv", _H), *_FULL), (("d_q", _D), ("d_kv", _D), ("h_kv", _H))),
    Shape(("multi-query attention",), (("h_kv", Number(1)),), (("d_kv", _D_H), ("h_kv", Number(1)))),
    Shape(
        ("d_q = d", "multi-query attention"),
        (("h_kv", Number(1)), *_FULL),
        (("d_q", _D), ("d_kv", _D_H), ("h_kv", Number(1))),
    ),
)


def _widths(name: str) -> tuple[Shape, ...]:
    four, gated = 4 * _D, Number(Fraction(8, 3)) * _D
    return (
        Shape((f"{name} = 4d",), ((name, four),), ((name, four),)),
        Shape((f"{name} = 8d/3",), ((name, gated),), ((name, gated),)),
    )


_EXPERTS = Shape(("m_e = m",), (("m_e", _M),), (("m_e", _M),))
_SHARED = (
    Shape(("m_s = m_e",), (("m_s", Name("m_e")),), (("m_s", Name("m_e")),)),
    Shape(("m_s = m_e = m",), (("m_s", _M), ("m_e", _M)), (("m_s", _M), ("m_e", _M))),
)
_ONE_HEAD = Shape(
    ("one head", "d_kv = d"),
    (("h_kv", _H), ("h", Number(1)), ("d_h", _D)),
    (("d_q", _D), ("d_kv", _D), ("h_kv", Number(1)), ("h", Number(1))),
)


def shapes(form_names: frozenset[str], names: frozenset[str], numbers: frozenset[int] = frozenset()) -> tuple[Shape, ...]:
    """The assumptions worth trying for a form and a formula with these names, smallest sets first.

    `numbers` are those that the formula writes where names might stand: 8 experts.
    """
    return _shapes(form_names & _ASSUMED, names, numbers)


_ASSUMED = frozenset("d_q d_kv h h_kv d_h m m_e m_s E k".split())
"""The names of a form that anything is assumed about."""


@cache
def _shapes(form_names: frozenset[str], names: frozenset[str], numbers: frozenset[int]) -> tuple[Shape, ...]:
    attention = _ATTENTION if form_names & {"d_q", "d_kv", "h", "h_kv", "d_h"} else (_NONE,)
    if "h" in form_names and "h" not in names:
        attention = (*attention, _ONE_HEAD)
    inner = tuple(_inner(form_names, names))
    found = [one.joined(other).joined(counted) for one in attention for other in inner for counted in _counts(form_names - names, numbers)]
    return tuple(sorted(found, key=lambda shape: len(shape.assumptions)))


def _inner(form_names: frozenset[str], names: frozenset[str]) -> Iterator[Shape]:
    """What is assumed of the widths inside feed-forward networks and experts."""
    expansions = [name for name in EXPANSIONS if name in names]
    yield _NONE
    for name in ("m", "m_e"):
        if name not in form_names or name in names:
            continue
        yield from _widths(name)
        for ratio in expansions:
            value = Name(ratio) * _D
            yield Shape((f"m = {ratio}·d",), ((name, value),), ((name, value),))
    if "m_e" in form_names and "m_e" not in names and "m" in names:
        yield _EXPERTS
    if "m_s" in form_names and "m_s" not in names:
        yield from _SHARED


_MANY, _FEW = (8, 16, 32, 60, 64, 72, 128, 160, 256, 384, 512), (1, 2, 4, 6, 8, 10)
USUAL_EXPERTS = tuple(sorted({*_MANY, *_FEW}))
"""Numbers that a formula may write for E or for k."""


def _counts(missing: frozenset[str], numbers: frozenset[int]) -> tuple[Shape, ...]:
    """Numbers of experts that stand in the formula as numbers."""
    many = [_equals("E", number) for number in _MANY if number in numbers] if "E" in missing else []
    few = [_equals("k", number) for number in _FEW if number in numbers] if "k" in missing else []
    both = [one.joined(other) for one in few for other in many]
    return (_NONE, *many, *few, *both)


def _equals(name: str, number: int) -> Shape:
    value = Number(number)
    return Shape((f"{name} = {number}",), ((name, value),), ((name, value),))


def canonical(terms: Terms, facts: Mapping[str, Formula]) -> Terms:
    """The terms with the widths as heads times head size, and with what a document says of them."""
    for name, value in DEFINITIONS:
        terms = put_in(terms, name, single(value))
    for name, value in facts.items():
        if (factor := one_term(value)) is not None:
            terms = put_in(terms, name, factor)
    return terms
