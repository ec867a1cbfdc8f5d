"""Figures of a batch in a mixture of experts."""

from __future__ import annotations

from collections.abc import Iterator

from derive.costs.routing import assignments, expected_experts
from derive.figures.figure import Figure
from derive.formula.numbers import significant
from derive.reading import ReadModel

MOST_TOKENS = 10_000
"""The expectation is worked out in fractions up to this many tokens; beyond, it is all of the experts to any printed digit."""


def experts_figures(read: ReadModel, batch: int) -> Iterator[Figure]:
    """Assignments of one layer and the distinct experts they are expected to reach, one token of each sequence."""
    E, k = read.sizes["E"], read.sizes["k"]
    yield Figure("assignments", assignments(k, batch), "pairs", f"{batch:,} tokens, one of each sequence, {k} experts each, in one layer")
    expected = expected_experts(E, k, min(batch, MOST_TOKENS))
    used = str(expected) if expected.denominator == 1 else significant(expected, 6)
    yield Figure("expected_distinct", used, "experts", f"of {E}, tokens choosing uniformly and independently: E (1 - (1 - k/E)^B)")
