"""What a document says about a letter or a size."""

from __future__ import annotations

from fractions import Fraction

from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """The document says what a letter means: the name as the formula reader gives it, its meaning, the words, the place."""

    letter: str
    meaning: str
    why: str
    offset: int


@dataclass(frozen=True, slots=True)
class Value:
    """The document gives a size of the vocabulary a number in words."""

    name: str
    value: Fraction
    why: str
    offset: int


_MOST: dict[str, int] = {
    "d": 200_000,
    "d_q": 1_000_000,
    "d_kv": 1_000_000,
    "h": 2_048,
    "h_kv": 2_048,
    "d_h": 8_192,
    "m": 2_000_000,
    "m_e": 2_000_000,
    "m_s": 2_000_000,
    "V": 5_000_000,
    "L": 1_000,
    "E": 20_000,
    "E_s": 1_000,
    "k": 1_000,
    "b": 16,
    "r": 20_000,
}
_LEAST: dict[str, int] = {"V": 2, "d": 2}


def plausible_value(name: str, value: Fraction) -> bool:
    """Whether the size can be so large: a count of parameters under the heading "layers" is no number of layers."""
    return value.denominator == 1 and _LEAST.get(name, 1) <= value <= _MOST.get(name, 10**9)
