"""Tables for lists of names, which may hold Chinese: set by rich, folded to the window."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

LONG_WORD = 16
"""A column with an identifier longer than this is folded between words only."""
NAMES_WIDTH = 34


def print_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their heading; cells fold where the window is narrow, identifiers stay whole."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    columns = [_names(cells) for cells in zip(*rows, strict=True)]
    for name, cells in zip(heading, columns, strict=True):
        table.add_column(name, no_wrap=any("\n" in cell for cell in cells), overflow="fold")
    for row in zip(*columns, strict=True):
        table.add_row(*row)
    Console(highlight=False, markup=False).print(table)


def _names(cells: Sequence[str]) -> list[str]:
    """The cells of a column; where they hold long identifiers, folded between them."""
    words = [word for cell in cells for word in cell.split() if word.isascii()]
    if not any(len(word) > LONG_WORD for word in words):
        return list(cells)
    return ["\n".join(wrap(cell, NAMES_WIDTH, break_long_words=False, break_on_hyphens=False)) for cell in cells]
