"""The ways to take what a written number claims."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.formula.statement import Claim
from derive.formula.units import UNITS, scale
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Trial:
    """A way to take the claim: its value and one unit of its last digit."""

    value: Fraction
    resolution: Fraction
    implied: str = ""

    def error(self, right: Fraction) -> Fraction:
        """How far the claim is off, relative to the right number."""
        return (self.value - right) / right


def taken(claim: Claim, factor: Fraction, implied: str = "") -> Trial:
    """The claim times a factor; `implied` is the unit or the scale that the other side leaves out."""
    return Trial(claim.value * factor, claim.resolution * factor, implied)


def trials(computed: Computed, claim: Claim) -> Iterator[Trial]:
    """The ways to take the claim beside what is computed, the plain one first."""
    factor = unit_factor(claim)
    yield taken(claim, factor)
    if not computed.has_unit and (factor != 1 or claim.scale):
        yield taken(claim, Fraction(1), claim.unit or claim.scale)
        yield from _without_scale(computed, claim)
    if claim.scale == "B" and computed.has_unit and factor == 1:  # bytes
        yield taken(claim, Fraction(1, 10**9))
    if computed.has_unit and factor == 1 and not claim.scale and not claim.unit and abs(claim.value) < 10**6:
        for power in (3, 6, 9, 12):
            yield taken(claim, Fraction(10**power), f"10^{power}")


def _without_scale(computed: Computed, claim: Claim) -> Iterator[Trial]:
    """The claim without its scale, or with a smaller one: `(67 + 135) × 32 = 6.46 billion` is counted in millions."""
    by_scale = scale_factor(claim)
    if not claim.scale or not scale(claim.scale):
        return
    yield taken(claim, 1 / by_scale, claim.scale)
    for smaller in (10**3, 10**6):
        if by_scale > smaller and abs(computed.value) < 10**5 and claim.scale in ("B", "billion", "M", "million", "T", "trillion"):
            yield taken(claim, Fraction(1, smaller), f"a scale of {smaller:,}")


def scale_factor(claim: Claim) -> Fraction:
    """What the scale of a claim multiplies it by: 10^9 for `7B`."""
    return (scale(claim.scale) if claim.scale else None) or Fraction(1)


def unit_factor(claim: Claim) -> Fraction:
    """What the unit of a claim multiplies it by: 10^9 for `4 GB/s`."""
    factor = Fraction(1)
    for at, word in enumerate(claim.unit.split("/") if claim.unit not in UNITS else [claim.unit]):
        unit = UNITS.get(word)
        if unit is not None:
            factor = factor * unit.factor if at == 0 else factor / unit.factor
    return factor
