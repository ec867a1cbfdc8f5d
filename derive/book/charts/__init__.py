"""The pictures of the book, one a module: `component-shares` is `component_shares.py`, whose `chart()` works out its numbers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from derive.book.chart import Chart
from derive.errors import ChapterError


def chart_names() -> tuple[str, ...]:
    """The names that `figure` knows."""
    return tuple(sorted(path.stem.replace("_", "-") for path in Path(__file__).parent.glob("[a-z]*.py")))


def chart_of(name: str) -> Chart:
    """The chart of that name."""
    if name not in chart_names():
        raise ChapterError(f"no figure '{name}'; known: {', '.join(chart_names())}")
    made: Chart = import_module(f"{__name__}.{name.replace('-', '_')}").chart()
    return made
