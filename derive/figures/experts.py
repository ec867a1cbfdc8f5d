"""Figures of a batch in a mixture of experts."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext

from derive.costs.routing import assignments, expected_experts
from derive.figures.figure import Figure
from derive.reading import ReadModel

MOST_EXACT = 1_000
"""Up to so many tokens the expectation is worked out in fractions; beyond, to 30 decimal digits."""


def experts_figures(read: ReadModel, batch: int) -> Iterator[Figure]:
    """Assignments of one layer and the distinct experts they are expected to reach, one token of each sequence."""
    E, k = read.sizes["E"], read.sizes["k"]
    tokens = f"{batch:,} token{'s' if batch > 1 else ''}, one of each sequence"
    yield Figure("assignments", assignments(k, batch), "pairs", f"{tokens}, {k} experts each, in one layer")
    meaning = f"of {E}, tokens choosing uniformly and independently: E (1 - (1 - k/E)^B)"
    yield Figure("expected_distinct", round(_expected(E, k, batch), 6), "experts", meaning)


def _expected(E: int, k: int, batch: int) -> float:
    """The expectation, rounded only at the end."""
    if batch <= MOST_EXACT:
        return float(expected_experts(E, k, batch))
    with localcontext() as context:
        context.prec = 30
        return float(E * (1 - (1 - Decimal(k) / Decimal(E)) ** batch))
