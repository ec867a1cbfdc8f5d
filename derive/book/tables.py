"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(heading: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A pipe table, set off from the text around it; the columns in `right` are set to the right."""
    rule = ["---:" if at in right else "---" for at in range(len(heading))]
    lines = (" | ".join(cells) for cells in (heading, rule, *rows))
    return "\n" + "\n".join(f"| {line} |" for line in lines) + "\n"
