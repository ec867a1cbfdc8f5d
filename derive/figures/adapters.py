"""Figures of low-rank adapters."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.costs import over, whole
from derive.costs.lora import lora_parameters
from derive.costs.parameters import parameters
from derive.errors import ConfigError
from derive.figures.figure import Figure
from derive.reading import ReadModel


def adapter_figures(read: ReadModel, text: str) -> Iterator[Figure]:
    """Trainable parameters of an adapter such as `16:q,v`, and their share."""
    rank, targets = _adapter(text)
    trainable = whole(lora_parameters(read.numbers, rank, targets))
    stored = whole(over(read.numbers, parameters))
    yield Figure("trainable", trainable, "parameters", f"r (d_in + d_out), r = {rank}, on {', '.join(targets)}; each matrix on its own")
    yield Figure("all", stored + trainable, "parameters", "the model's own and the adapter's")
    yield Figure("trainable_percent", float(round(Fraction(100 * trainable, stored + trainable), 6)), "%", "trainable of all")


def _adapter(text: str) -> tuple[int, tuple[str, ...]]:
    """`16` or `16:q,v` → the rank and its targets; attention where none are named."""
    rank, _, names = text.partition(":")
    if not (rank.isascii() and rank.isdecimal() and len(rank) <= 7 and 1 <= int(rank) <= 10**6):
        raise ConfigError(f"--lora needs a rank and perhaps targets, as in 16 or 16:q,v, not '{text[:40]}'")
    targets = tuple(name.strip() for name in names.split(",") if name.strip())
    return int(rank), targets or ("attention",)
