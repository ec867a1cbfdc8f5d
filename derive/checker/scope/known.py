"""What is known of the letters of one equation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from derive.formula.tree import Formula
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """What the document says so far: meanings of letters, what names stand for, and the values of letters."""

    meanings: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, Formula] = field(default_factory=dict)
    values: Mapping[str, Fraction] = field(default_factory=dict)
    candidates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()
    sizes: Mapping[str, Formula] = field(default_factory=dict)
    beside: Mapping[str, Formula] = field(default_factory=dict)
