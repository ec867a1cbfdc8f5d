"""Findings for a terminal: the place and the verdict, the line with the formula underlined, how it was read, what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction

from click import style

from derive.checker.codes import COMMENT_CODES
from derive.checker.finding import FORMULA_NAME, VERDICTS, Checked, Finding, Letter
from derive.checker.output.layout import cell_len, excerpt, folded, plain
from derive.records import dataclass

INDENT = 4
NOTICED = frozenset({*COMMENT_CODES, "redefined"})
"""Codes that are shown, on one line, although nothing is wrong."""
COLOURS = {"wrong": "red", "approximation": "yellow", "unchecked": "magenta", "exact-under": "cyan", "definition": "blue"}
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class View:
    """How much is shown, how wide, and whether in colour."""

    width: int = 80
    colour: bool = False
    every: bool = False
    quiet: bool = False
    glossary: bool = False


@dataclass(slots=True)
class Tally:
    """What the last line sums up."""

    files: int = 0
    formulas: int = 0
    ignored: int = 0
    comments: int = 0
    hidden: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)

    def add(self, checked: Checked, hidden: int) -> None:
        self.files += not _is_formula(checked)
        self.formulas += _is_formula(checked)
        self.ignored += checked.ignored
        self.hidden += hidden
        for finding in checked.findings:
            if finding.code in COMMENT_CODES:
                self.comments += 1
            else:
                self.verdicts[finding.verdict] += 1

    def __str__(self) -> str:
        counts = [f"{self.verdicts[verdict]} {verdict}" for verdict in VERDICTS if self.verdicts[verdict]]
        ends = [f"{self.ignored} ignored"] if self.ignored else []
        ends += [f"{_number(self.comments, 'comment')} to correct"] if self.comments else []
        equations = f"{_number(self.verdicts.total(), 'equation')}: " if counts else "no equations"
        subjects = [_number(self.formulas, "formula")] if self.formulas else []
        subjects += [_number(self.files, "file")] if self.files or not subjects else []
        return f"{', '.join(subjects)}, {equations}{', '.join(counts)}{''.join(f'; {end}' for end in ends)}"


def written(results: Iterable[Checked], view: View) -> Iterator[str]:
    """The report, a piece for each file and the summary at the end."""
    tally = Tally()
    for checked in results:
        shown = [] if view.quiet else [each for each in checked.findings if _is_shown(each, checked, view)]
        tally.add(checked, len(checked.findings) - len(shown))
        pieces = [_glossary(checked, view)] if view.glossary and not view.quiet else []
        lines = checked.source.split("\n") if shown else []
        pieces += [_finding(each, checked.file, lines, view) for each in shown]
        if pieces:
            yield "\n".join(pieces)
    hint = " (-a shows every finding)" if tally.hidden and not view.quiet else ""
    yield folded(f"{tally}{hint}", view.width, 2, first=0)


def _is_formula(checked: Checked) -> bool:
    """Whether it is one formula, which was typed: every finding of it is shown."""
    return checked.file == FORMULA_NAME


def _is_shown(finding: Finding, checked: Checked, view: View) -> bool:
    return view.every or _is_formula(checked) or finding.verdict == "wrong" or finding.code in NOTICED


def _finding(finding: Finding, file: str, source: Sequence[str], view: View) -> str:
    """A finding in full; one of the noticed kinds on a line of its own."""
    lines = [_heading(finding, file, view)]
    if finding.code not in NOTICED or view.every:
        lines += _source(finding, source, view)
        lines += _details(finding, view)
        lines.append("")
    return "\n".join(lines)


def _heading(finding: Finding, file: str, view: View) -> str:
    """`file:line:column  verdict  message [code]`; the place stays whole, so that a terminal can open it."""
    place = plain(f"{file}:{finding.line}:{finding.column}")
    start = f"{place}  {finding.verdict}"
    message = f"{plain(' '.join(finding.message.split()))} [{finding.code}]"
    verdict = _styled(finding.verdict, view, fg=COLOURS.get(finding.verdict, "green"), bold=True)
    place = _styled(place, view, bold=True)
    taken = cell_len(start)
    if taken > view.width:
        return "\n".join((place, " " * INDENT + verdict, " " * INDENT + folded(message, view.width, INDENT)))
    if view.width - taken < min(cell_len(message) + 2, 24):
        return "\n".join((f"{place}  {verdict}", " " * INDENT + folded(message, view.width, INDENT)))
    return f"{place}  {verdict}  " + folded(message, view.width, INDENT, first=taken + 2)


def _source(finding: Finding, source: Sequence[str], view: View) -> list[str]:
    """The line of the document and a caret line under the exact span; of a span over several lines, its first."""
    line = source[finding.line - 1].rstrip("\r") if finding.line <= len(source) else ""
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line.rstrip())
    shown, column, width = excerpt(line, finding.column - 1, end, max(view.width - INDENT, 10))
    carets = _styled("^" + "~" * (width - 1), view, fg=COLOURS.get(finding.verdict, "green"))
    return [(" " * INDENT + shown).rstrip(), " " * (INDENT + column) + carets]


def _details(finding: Finding, view: View) -> Iterator[str]:
    rows = (
        ("read as", finding.reads_as),
        ("right", finding.right or ""),
        ("residual", finding.residual or ""),
        ("under", ", ".join(finding.assumptions)),
        ("drops", ", ".join(finding.dropped)),
        ("error", percentage(finding.relative_error) if finding.relative_error else ""),
    )
    for name, value in rows:
        if value:
            yield _row(name, value, view)


def _row(name: str, value: str, view: View) -> str:
    """A named value, cut where it would fill the screen."""
    indent = INDENT + 10
    most = _MOST_LINES * max(view.width - indent, 8)
    text = plain(" ".join(value[: most + 1].split()))
    text = text if len(text) <= most else text[: most - 1] + "…"
    return f"{' ' * INDENT}{_styled(f'{name:<10}', view, dim=True)}{folded(text, view.width, indent)}"


def percentage(error: Fraction) -> str:
    """An error in percent, with three digits."""
    hundredths = abs(error) * 100
    if hundredths >= 10**6:
        return "more than 1,000,000 %"
    return f"{float(hundredths):.3g} %" if hundredths >= Fraction(1, 10**6) else "less than 0.000001 %"


def _glossary(checked: Checked, view: View) -> str:
    """What the letters were taken to mean, and why: a table, or in a narrow window a paragraph for each."""
    title = folded(f"{plain(checked.file)}: what the letters mean here", view.width, INDENT, first=0)
    if not checked.glossary:
        return f"{title}\n{' ' * INDENT}no letter has a meaning here\n"
    widths = [max(cell_len(plain(text)) for text in column) for column in zip(*map(_words, checked.glossary), strict=True)]
    lines = [title]
    for letter in checked.glossary:
        name, meaning, why = map(plain, _words(letter))
        start = " " * INDENT + name + " " * (widths[0] - cell_len(name)) + "  "
        if INDENT + sum(widths) + 4 <= view.width:
            lines.append(f"{start}{meaning}{' ' * (widths[1] - cell_len(meaning))}  {why}".rstrip())
        else:
            lines.append(start + folded(f"{meaning} ({why})" if why else meaning, view.width, cell_len(start)))
    return "\n".join((*lines, ""))


def _words(letter: Letter) -> tuple[str, str, str]:
    return letter.name, letter.meaning.replace("`", ""), letter.why


def _styled(text: str, view: View, fg: str | None = None, bold: bool | None = None, dim: bool | None = None) -> str:
    return style(text, fg, bold=bold, dim=dim) if view.colour else text


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
