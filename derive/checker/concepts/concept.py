"""What a label speaks of, and how a formula compares with it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from derive.formula.tree import Formula
from derive.records import dataclass
from derive.text import Text

Kind = Literal["exact", "under", "approximation"]
Dropped: TypeAlias = tuple[str, Formula]
"""A part that was left out: its name and its formula."""


@dataclass(frozen=True, slots=True)
class Concept:
    """What a label speaks of: an object ("attention"), what is counted of it ("parameters"), and for how much of it.

    `per` holds what the label says it is counted for ("layer", "token", …), `hints` what it says of the kind of model, in the words
    of the assumptions ("LayerNorm", "16 bit"). `own` is the engine's own name for it, where the label is that name. `sure`: the label
    alone decides it, so that a formula which fits under no assumption is wrong; else only a match counts.
    """

    name: str
    title: Text
    object: str
    measure: str
    per: frozenset[str] = frozenset()
    hints: frozenset[str] = frozenset()
    own: str = ""
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A formula that is the concept: exactly, under assumptions, or but for the parts that it drops.

    `whole` is the full form under the assumptions: what was written, and what was dropped.
    """

    kind: Kind
    assumptions: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    whole: Formula


@dataclass(frozen=True, slots=True)
class Miss:
    """A formula that is not the concept: the nearest form, `written - nearest`, and what that difference is."""

    nearest: Formula
    residual: Formula
    explanation: str
    assumptions: tuple[str, ...] = ()
