"""The codes explained: one in full, or all in a list."""

from __future__ import annotations

from collections.abc import Iterable

from derive.checker.codes import Code
from derive.checker.finding import VERDICTS
from derive.checker.output.layout import cell_len, folded


def explained(code: Code, width: int) -> str:
    """A code: its verdict, its meaning, an example, what to do."""
    rows = (("example", code.example), ("advice", code.advice))
    lines = [f"{code.name} ({code.verdict})", "", folded(code.meaning, width), ""]
    lines += [f"  {name:<9}{folded(text, width, 11)}" for name, text in rows]
    return "\n".join(lines)


def listed(codes: Iterable[Code], width: int) -> str:
    """Every code with its meaning, under its verdict."""
    codes = tuple(codes)
    indent = max(cell_len(code.name) for code in codes) + 4
    sections = []
    for verdict in VERDICTS:
        rows = [f"  {code.name:<{indent - 2}}{folded(code.meaning, width, indent)}" for code in codes if code.verdict == verdict]
        if rows:
            sections.append("\n".join((verdict, *rows)))
    return "\n\n".join(sections)
