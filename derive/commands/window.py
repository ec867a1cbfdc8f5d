"""The window that is printed to."""

from __future__ import annotations

import os
import sys


def window_width() -> int:
    """The width of the window [characters]; shutil knows it too, but takes longer to load than a count to make."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 100
    except (OSError, ValueError):
        return 100
