"""Findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from derive.checker.finding import Checked, Finding
from derive.checker.output.sarif import level
from derive.checker.output.text import Tally

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def written(results: Iterable[Checked], every: bool = False) -> Iterator[str]:
    """An annotation for each wrong equation and each comment to correct, for approximations and what is unchecked with `every`."""
    tally = Tally()
    for checked in results:
        tally.add(checked, 0)
        for finding in checked.findings:
            matters = level(finding.code, finding.verdict)
            if matters in ("error", "warning") or (every and matters == "note"):
                yield annotation(finding, checked.file, _COMMANDS[matters])
    yield str(tally)


def annotation(finding: Finding, file: str, command: str) -> str:
    """`::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`; GitHub knows an end column on one line only."""
    places = {"file": file, "line": str(finding.line), "col": str(finding.column), "endLine": str(finding.end_line)}
    if finding.end_line == finding.line:
        places["endColumn"] = str(finding.end_column)
    places["title"] = f"{finding.verdict}: {finding.code}"
    right = f"\nright: {finding.right}" if finding.right else ""
    settings = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in places.items())
    return f"::{command} {settings}::{_escaped(finding.message + right)}"


def _escaped(text: str, also: str = "") -> str:
    """The text with what would end the line, or the property, in percent form."""
    for letter in "%\r\n" + also:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text
