"""What a written statement is: sides joined by relations, each side with its place and what its digits claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from derive.formula.numbers import rounded
from derive.formula.tree import Formula, Number
from derive.formula.units import SCALES
from derive.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Written(Number):
    """A number as it was written.

    `resolution` is one unit of its last digit, None for a whole number written in full; `scale` is the word that scales it.
    """

    resolution: Fraction | None = None
    scale: str = ""

    @property
    def shown(self) -> str | None:
        """`17.9%`, `124M`, `3e-4` as they were written, for who reads how a formula was read."""
        if self.resolution is None or self.value < 0:
            return None
        by = SCALES.get(self.scale, Fraction(1))
        decimals = len(str((by / self.resolution).numerator)) - 1 if self.resolution < by else 0
        return rounded(Fraction(self.value) / by, decimals) + self.scale if decimals < 16 else None


@dataclass(frozen=True, slots=True)
class Claim:
    r"""A side that is one written number, as in `6.44\\times10^9`, `350 GB`, `1750亿`.

    `value` is without its unit, `resolution` one unit of its last digit, `scale` and `unit` the words behind it; `full` where
    every digit is written.
    """

    value: Fraction
    resolution: Fraction
    scale: str = ""
    unit: str = ""
    full: bool = True


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a statement.

    The formula, its text with its place in the whole, its claim, which of its names are units, and the note in its row.
    """

    formula: Formula
    text: str
    start: int
    end: int
    claim: Claim | None = None
    units: frozenset[str] = frozenset()
    note: str = ""

    @property
    def expr(self) -> object:
        """The side as a SymPy expression."""
        return self.formula.expr

    @property
    def latex(self) -> str:
        """The side in LaTeX."""
        return self.formula.latex

    def __str__(self) -> str:
        return self.formula.text


@dataclass(frozen=True, slots=True)
class Statement:
    """`a = b ≈ c` as it was read: three sides and two relations.

    `units` are the names among its letters that are units (`GB`), `labels` the words that stand for a name
    (`KVcache` → "KV cache"), `remark` is what was written behind it ("(m = 4d)"), and `leading` a relation that the text begins
    with, which goes on with what stood before. `alternatives` are other ways to read the same text.
    """

    text: str
    sides: tuple[Side, ...]
    relations: tuple[str, ...]
    units: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""
    leading: str = ""
    alternatives: tuple[Statement, ...] = ()

    @property
    def has_relation(self) -> bool:
        """Whether it says anything: an expression alone does not."""
        return bool(self.relations)

    @property
    def start(self) -> int:
        """Where the statement begins in the text that was read."""
        return self.sides[0].start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.sides[-1].end

    @property
    def reads_as(self) -> str:
        """The statement in Unicode: how it was read."""
        pieces = [str(self.sides[0])]
        for relation, side in zip(self.relations, self.sides[1:], strict=True):
            pieces += [relation, str(side)]
        return " ".join(pieces)

    def __str__(self) -> str:
        return self.reads_as


@dataclass(frozen=True, slots=True)
class Unread:
    """A stretch that holds a relation and could not be read: why, and where reading stopped (from 0)."""

    text: str
    start: int
    end: int
    message: str
    at: int

    @property
    def has_relation(self) -> bool:
        """What could not be read was taken for an equation."""
        return True
