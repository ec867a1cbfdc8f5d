"""Compared models as text that fits the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.report import cells, columns, folded
from derive.text import grouped, printable

if TYPE_CHECKING:
    from derive.comparing import Change, Comparison, Difference, Row

LONGEST_HEADING = 18


def comparison_report(comparison: Comparison, width: int) -> str:
    """Legend, sizes, components and totals side by side; then each difference from the first."""
    headings = _headings(comparison)
    blocks = [_legend(comparison, headings, width)]
    blocks += [_table(title, rows, headings, width) for title, rows in _tables(comparison)]
    blocks += [_difference(each, headings[0], second, width) for each, second in zip(comparison.differences, headings[1:], strict=False)]
    return "\n\n".join("\n".join(block) for block in blocks)


def _headings(comparison: Comparison) -> list[str]:
    """What stands over each column: the name, or a letter where names are long or alike."""
    names = [printable(model.name) for model in comparison.models]
    if len(set(names)) == len(names) and max(map(cells, names)) <= LONGEST_HEADING:
        return names
    return [_letter(at) for at in range(len(names))]


def _letter(at: int) -> str:
    return chr(ord("A") + at) if at < 26 else f"#{at + 1}"


def _legend(comparison: Comparison, headings: list[str], width: int) -> list[str]:
    lines = []
    for heading, model in zip(headings, comparison.models, strict=True):
        name = printable(model.name)
        start = name if heading == name else f"{heading} = {name}"
        said = f"family {model.family}" if model.family else "no closed form"
        lines.append(folded(f"{start} ({said}{', stored tensors' if model.checkpoint else ''})", width, 4))
    return lines


def _tables(comparison: Comparison) -> list[tuple[str, list[list[str]]]]:
    """Title and rows: the first cell of a row names it."""
    models = comparison.models
    tables = [
        ("size", [[name, *(grouped(model.sizes.get(name)) for model in models)] for name in comparison.sizes]),
        ("component", [[name, *(_count(model.rows.get(name)) for model in models)] for name in comparison.components]),
        ("parameters", [[name.replace("_", " "), *(grouped(model.under(name)) for model in models)] for name in comparison.conventions]),
    ]
    return [(title, rows) for title, rows in tables if rows]


def _count(row: Row | None) -> str:
    return "–" if row is None else f"{row.parameters:,}"


def _table(title: str, rows: list[list[str]], headings: list[str], width: int) -> list[str]:
    """The rows under the headings; where the window is too narrow, each row as a paragraph with a line for each model."""
    lines = columns([[title, *headings], *rows], right=range(1, len(headings) + 1))
    if max(map(cells, lines)) <= width:
        return lines
    lines = []
    for name, *values in rows:
        lines += [name, *columns([["", heading, value] for heading, value in zip(headings, values, strict=True)], right=(2,))]
    return lines


def _difference(difference: Difference, first: str, second: str, width: int) -> list[str]:
    """The sizes that change, then every component that does, with its formula and numbers on both sides."""
    lines = [folded(f"{second} over {first}: {_signed(difference.total)}", width, 2)]
    sizes = " ".join(f"{name}={grouped(before)}→{grouped(after)}" for name, before, after in difference.sizes)
    lines += ["  " + folded(sizes, width, 2)] if sizes else []
    changed = [change for change in difference.changes if change.difference]
    amounts = columns([*([change.name, _signed(change.difference)] for change in changed), ["sum", _signed(difference.total)]], right=(1,))
    for amount, change in zip(amounts, changed, strict=False):
        lines += [amount, *_sides(change, width)]
    lines.append(amounts[-1])
    same = [change.name for change in difference.changes if not change.difference and (_counts(change.first) or _counts(change.second))]
    return [*lines, "  " + folded(f"the same: {', '.join(same)}", width, 4)] if same else lines


def _signed(number: int) -> str:
    return f"{number:+,}" if number else "0"


def _counts(row: Row | None) -> bool:
    return row is not None and row.parameters != 0


def _sides(change: Change, width: int) -> list[str]:
    """Where from and where to: `- 3Ldm = 3·32·4096·14,336 = 5,637,144,576`."""
    lines = []
    for sign, row in (("-", change.first), ("+", change.second)):
        if row is not None:
            said = " = ".join(filter(None, (row.formula, row.numbers, f"{row.parameters:,}")))
            lines.append(f"  {sign} " + folded(said, width, 6))
    return lines
