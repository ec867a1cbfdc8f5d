"""Tables for lists of names, which may hold Chinese: set by rich, folded to the window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def print_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under their heading; cells fold where the window is narrow."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in heading:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(table)
