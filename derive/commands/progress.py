"""A progress bar on standard error, for what takes more than a second."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds before the bar appears."""
T = TypeVar("T")


def watched(results: Iterator[T], count: int, doing: str = "checking") -> Iterator[T]:
    """The results as they come; the bar shows while the next one is worked out, and is gone while it is printed."""
    started, bar = monotonic(), None
    try:
        for done, result in enumerate(results, 1):
            if bar:
                bar.stop()
            yield result
            if monotonic() - started > PATIENCE and done < count:
                bar = bar or _bar(count, doing)
                bar.update(bar.task_ids[0], completed=done)
                bar.start()
    finally:
        if bar:
            bar.stop()


def _bar(count: int, doing: str) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = Progress(doing, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    bar.add_task(doing, total=count)
    return bar
