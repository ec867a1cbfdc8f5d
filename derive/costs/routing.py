"""What a batch of tokens does in a mixture of experts: which experts it uses, how it loads them, how outputs are mixed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from derive.errors import ConfigError
from derive.formula.tree import Formula


def expected_experts(E: Any, k: Any, B: Any) -> Any:
    """Distinct experts that B tokens are expected to use in a layer: E (1 - (1 - k/E)^B).

    Assumes  each token chooses its k experts uniformly and independently of the others.
    Counts   k for one token; tends to E as B grows.
    """
    if isinstance(E, Formula) or isinstance(k, Formula) or isinstance(B, Formula):
        return E * (1 - (1 - k / E) ** B)
    if not 1 <= k <= E or B < 0:
        raise ConfigError(f"{k} of {E} experts for {B} tokens is not possible")
    return E * (1 - (1 - Fraction(k, E)) ** B)


def assignments(k: Any, B: Any) -> Any:
    """Pairs of a token and one of its experts: B k."""
    return B * k


def loads(chosen: Iterable[Sequence[int]], E: int) -> tuple[int, ...]:
    """How many tokens each expert receives, from the experts that each token chose."""
    counts = [0] * E
    for token in chosen:
        if len(set(token)) != len(token):
            raise ConfigError(f"a token chooses an expert twice: {tuple(token)}")
        for expert in token:
            if not 0 <= expert < E:
                raise ConfigError(f"expert {expert} does not exist; there are {E}, counted from 0")
            counts[expert] += 1
    return tuple(counts)


def top_k(scores: Sequence[Fraction | int | str], k: int) -> tuple[tuple[int, Fraction], ...]:
    """The k highest scores with their places, renormalised so that they sum to 1; exact.

    Scores may be written as text ("0.30"), which keeps them exact. Of equal scores the earlier wins.
    """
    exact = [Fraction(score) for score in scores]
    if not 1 <= k <= len(exact):
        raise ConfigError(f"cannot choose {k} of {len(exact)} experts")
    best = sorted(range(len(exact)), key=lambda place: (-exact[place], place))[:k]
    whole = sum(exact[place] for place in best)
    if whole <= 0:
        raise ConfigError("the chosen scores sum to zero, so they cannot be renormalised")
    return tuple((place, exact[place] / whole) for place in best)


def mixed(weights: Sequence[Fraction], outputs: Sequence[Sequence[Fraction | int | str]]) -> tuple[Fraction, ...]:
    """The weighted sum of the experts' outputs; exact."""
    return tuple(
        sum((weight * Fraction(value) for weight, value in zip(weights, column, strict=True)), Fraction(0))
        for column in zip(*outputs, strict=True)
    )
