"""What the terminal shows: counts and derivations as plain text that fits the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from derive.counting import CONVENTIONS, Count
from derive.formula.write import write_text
from derive.text import printable

if TYPE_CHECKING:
    from derive.calculus.answer import Answer
    from derive.derivation import Derivation
    from derive.figures import Figure, Usage

GAP = "  "


def count_report(count: Count, width: int) -> str:
    """A count as text: the components with formula, numbers, parameters and share, then each convention's total."""
    title = f"{printable(count.model)} (family {count.family})"
    sizes = folded(GAP.join(f"{name}={value}" for name, value in count.symbols.items()), width)
    conventions, stored = _explained_rows(count.parameters, CONVENTIONS, width), _stored(count, width)
    parts = (title, sizes, "", *_components(count, width), "", *_closed_form(count, width), "", *conventions, *stored)
    notes = [line for note in count.notes for line in ("", *folded(f"note: {note}", width).split("\n"))]
    return "\n".join((*parts, *notes))


def answer_report(answer: Answer, width: int, language: str = "en") -> str:
    """An answer as text: its derivations, its table, its remarks."""
    from derive.formula.inline import inline_text

    blocks = [derivation_lines(each, width, language) for each in (*answer.posed, *answer.derivations)]
    if answer.rows:
        blocks.append(_answer_table(answer, width, language))
    blocks += [folded(inline_text(remark.in_(language)), width).split("\n") for remark in answer.remarks]
    return "\n\n".join("\n".join(block) for block in blocks)


def _answer_table(answer: Answer, width: int, language: str) -> list[str]:
    """The table, or where the window is too narrow for it, each row as a paragraph of headings and values."""
    from derive.calculus.answer import shown
    from derive.formula.inline import inline_text

    heading = [inline_text(column.title.in_(language)) for column in answer.heading]
    rows = [[shown(cell, language, write_text) for cell in row] for row in answer.rows]
    table = columns([heading, *rows], right=answer.numeric)
    if max(map(cells, table)) <= width:
        return table
    lines = []
    for first, *rest in rows:
        lines.append(folded(first, width))
        lines += [GAP + folded(f"{title}: {value}", width, len(GAP) + 2) for title, value in zip(heading[1:], rest, strict=True)]
    return lines


def derivation_report(title: str, derivation: Derivation, width: int, language: str = "en") -> str:
    """A derivation as text under its title."""
    return "\n".join((folded(title, width), "", *derivation_lines(derivation, width, language)))


def derivation_lines(derivation: Derivation, width: int, language: str = "en") -> list[str]:
    """A derivation, a line each; the reason stands beside it, or under it where the window is narrow."""
    from derive.formula.inline import inline_text

    left = write_text(derivation.left)
    rows = [(line.relation, write_text(line.formula), inline_text(line.why.in_(language))) for line in derivation.lines]
    widest = max(len(formula) for _, formula, _ in rows)
    beside = len(left) + 3 + widest + 3 + max(cells(why) for *_, why in rows) <= width
    lines: list[str] = []
    for at, (relation, formula, why) in enumerate(rows):
        start = f"{left if at == 0 else ' ' * len(left)} {relation} "
        if beside:
            lines.append(f"{start}{formula:<{widest}}   {why}".rstrip())
        else:
            lines += [
                start + folded(formula, width, indent=len(start)),
                " " * len(start) + "  " + folded(f"({why})", width, len(start) + 3),
            ]
    return lines


def usage_report(usage: Usage, width: int) -> str:
    """FLOPs, cache, memory and the rest as text, each figure with its convention; bytes also in GB and GiB."""
    lines = []
    for section in usage.sections:
        figures = [[figure.name.replace("_", " "), _figure(figure)] for figure in section.figures]
        rows = columns(figures, right=(1,))
        indent = max(map(len, rows)) + len(GAP)
        lines += ["", "", section.name.replace("_", " ")]
        for row, figure in zip(rows, section.figures, strict=True):
            lines.append(_explained(row, _in_units(figure) + figure.counts, width, indent))
    return "\n".join(lines)


def _figure(figure: Figure) -> str:
    return f"{figure.value:,} {figure.unit}" if isinstance(figure.value, int) else f"{figure.value} {figure.unit}".rstrip()


def _in_units(figure: Figure) -> str:
    """Many bytes in GB (10^9) and GiB (2^30), both named."""
    units = figure.in_units
    return f"{units['GB']} GB = {units['GiB']} GiB; " if units and isinstance(figure.value, int) and figure.value >= 10**6 else ""


def _explained(row: str, counts: str, width: int, indent: int) -> str:
    """A row and what it counts: beside it, or under it where the window is narrow."""
    if width - indent < 30:
        return row + "\n  " + folded(counts, width, 2)
    return row.ljust(indent) + folded(counts, width, indent)


def folded(text: str, width: int, indent: int = 0) -> str:
    """The text broken at spaces so that it fits, later lines indented; a first line is taken to be indented already."""
    room, lines = max(width - indent, 20), [""]
    for word in text.replace("；", "； ").split():
        if lines[-1] and cells(lines[-1]) + 1 + cells(word) > room:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return ("\n" + " " * indent).join(lines)


def cells(text: str) -> int:
    """Columns of a terminal that a text takes; a Chinese character takes two."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def columns(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows of cells, each column as wide as its widest cell; the columns in `right` are set to the right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    flush = set(right)

    def padded(at: int, cell: str) -> str:
        space = " " * (widths[at] - cells(cell))
        return space + cell if at in flush else cell + space

    return [GAP.join(padded(at, cell) for at, cell in enumerate(row)).rstrip() for row in rows]


def _components(count: Count, width: int) -> list[str]:
    wide = _wide_components(count)
    return wide if max(map(len, wide)) <= width else _narrow_components(count, width)


def _figures(count: Count) -> list[list[str]]:
    """Name, parameters, share and, where it says something, the active count of every component."""
    sparse = count.active != count.total
    rows = [["component", "parameters", "share", *(["active"] if sparse else [])]]
    for part in count.components:
        active = [f"{part.active:,}"] if sparse else []
        rows.append([part.name, f"{part.parameters:,}", _share(part.parameters, count.total), *active])
    rows.append(["total", f"{count.total:,}", _share(count.total, count.total), *([f"{count.active:,}"] if sparse else [])])
    return rows


def _wide_components(count: Count) -> list[str]:
    formulas = [["formula", "numbers put in"], *([part.formula.text, part.numbers.text] for part in count.components), ["", ""]]
    rows = [[name, *formula, *figures] for (name, *figures), formula in zip(_figures(count), formulas, strict=True)]
    return columns(rows, right=(3, 4, 5))


def _narrow_components(count: Count, width: int) -> list[str]:
    """Each component on a line of its own, its formula and the numbers under it; without the shares where they do not fit."""
    heading, *figures = columns(_figures(count), right=(1, 2, 3))
    if cells(heading) > width:
        heading, *figures = columns([[*row[:2], *row[3:]] for row in _figures(count)], right=(1, 2))
    lines = [heading]
    for line, part in zip(figures, count.components, strict=False):
        lines += [line, "  " + folded(part.formula.text, width, 4), "  = " + folded(part.numbers.text, width, 4)]
    return [*lines, figures[-1]]


def _closed_form(count: Count, width: int) -> list[str]:
    left = "P_total = "
    return [left + folded(count.closed_form.text, width, len(left))]


def _explained_rows(numbers: Mapping[str, int], meaning: Mapping[str, str], width: int) -> list[str]:
    """Every number and what it counts: beside it, or under it where the window is narrow."""
    rows = columns([[name.replace("_", " "), f"{value:,}"] for name, value in numbers.items()], right=(1,))
    indent = max(map(len, rows)) + len(GAP)
    return [line for row, name in zip(rows, numbers, strict=True) for line in _explained(row, meaning[name], width, indent).split("\n")]


def _stored(count: Count, width: int) -> list[str]:
    """What a checkpoint that keeps all of it holds, item by item."""
    if not count.stored:
        return []
    from derive.families._stored import MEANING

    return ["", "a checkpoint that keeps all of this holds", *_explained_rows(count.stored, MEANING, width)]


def _share(part: int, whole: int) -> str:
    """The share with two decimals, in integers: no float, no rounding surprise."""
    hundredths = (part * 20_000 + whole) // (2 * whole)
    return f"{hundredths // 100}.{hundredths % 100:02d} %"
