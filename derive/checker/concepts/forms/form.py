"""What a concept can be: sums of parts, each in one of several kinds, counted for a token, a layer, a batch."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cache

from derive.formula.tree import Formula, Number, as_formula
from derive.records import dataclass

ZERO, ONE = Number(0), Number(1)


@dataclass(frozen=True, slots=True)
class Choice:
    """One kind of a part, and what is assumed by counting it so."""

    formula: Formula
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A term of a form; forms share most of theirs, and what is worked out of one is kept for all.

    `left_out` is what a formula without this part drops, for gated and for two-matrix models (GPT); None: it may not be dropped.
    """

    name: str
    choices: tuple[Choice, ...]
    left_out: tuple[Formula, Formula] | None = None

    def times(self, factor: Formula) -> Part:
        """The part, counted `factor` times."""
        choices = tuple(Choice(as_formula(factor * choice.formula), choice.assumptions) for choice in self.choices)
        left_out = None if self.left_out is None else (factor * self.left_out[0], factor * self.left_out[1])
        return replace(self, choices=choices, left_out=left_out)


@cache
def names_of(part: Part) -> frozenset[str]:
    """Every name that can occur in a part."""
    return frozenset(name for choice in part.choices for name in choice.formula.names)


@dataclass(frozen=True, slots=True)
class Frame:
    """For how much the parts are counted: a factor of one term, and what is assumed by it."""

    factor: Formula = ONE
    assumptions: tuple[str, ...] = ()

    def times(self, other: Frame) -> Frame:
        """Both factors, both assumptions."""
        return Frame(as_formula(self.factor * other.factor), (*self.assumptions, *other.assumptions))


WHOLE = (Frame(),)


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A sum of parts in one of several frames; the first part is never dropped.

    `given` are assumptions that go without saying here; `assumptions` are those of the form itself.
    """

    parts: tuple[Part, ...]
    frames: tuple[Frame, ...] = WHOLE
    given: frozenset[str] = frozenset()
    assumptions: tuple[str, ...] = ()

    names: frozenset[str] = field(init=False, default=frozenset())
    """Every name that can occur."""

    def __post_init__(self) -> None:
        found = frozenset[str]().union(*map(names_of, self.parts), *(frame.factor.names for frame in self.frames))
        object.__setattr__(self, "names", found)


def fixed(name: str, formula: Formula) -> Part:
    """A part of one kind."""
    return Part(name, (Choice(formula),))


def product_of(*groups: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """Every combination of a frame of each group."""
    found: tuple[Frame, ...] = WHOLE
    for group in groups:
        found = tuple(frame.times(other) for frame in found for other in group)
    return found
