"""The tables of wordings, row by row."""

from __future__ import annotations

from collections.abc import Iterator

from derive.checker.glossary.wordings.wordings import SHORTHANDS


def rows(table: str) -> Iterator[tuple[str, str]]:
    """The rows of a table, each with its meaning, shorthands written out."""
    meaning = ""
    for line in _joined(table):
        if line.startswith("    "):
            yield meaning, " ".join(map(_written_out, line.split()))
        else:
            meaning = line.rstrip(":")


def _joined(table: str) -> list[str]:
    lines: list[str] = []
    for line in table.strip("\n").split("\n"):
        if line.startswith("        "):
            lines[-1] += line.strip() if lines[-1].endswith("|") else " " + line.strip()
        else:
            lines.append(line)
    return lines


def _written_out(slot: str) -> str:
    if slot == slot.lower():
        return slot
    optional = slot.startswith("[")
    words = (_SHORTHANDS.get(alternative, alternative) for alternative in slot.strip("[]").split("|"))
    return f"[{'|'.join(words)}]" if optional else "|".join(words)


_SHORTHANDS = dict(line.strip().split(": ") for line in _joined(SHORTHANDS))
