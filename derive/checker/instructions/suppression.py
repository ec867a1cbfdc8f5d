"""Findings that the author asked not to see are dropped and counted, and what ignores nothing is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.checker.finding import Checked, Finding
from derive.checker.instructions.directives import Directive, Directives, comment_finding
from derive.checker.instructions.settings import Settings
from derive.documents.document import Document


def suppressed(checked: Checked, directives: Directives, settings: Settings, document: Document) -> Checked:
    """The same without the findings that comments or settings ignore, and with one for each comment that is stale or malformed."""
    ignoring = [each for each in directives.asked if each.codes]
    off = [each for each in directives.asked if each.verb == "off"]
    used: set[tuple[int, str]] = set()
    kept: list[Finding] = []
    for finding in checked.findings:
        hits = {(at, finding.code) for at, each in enumerate(ignoring) if finding.code in each.codes and each.covers(finding)}
        used |= hits
        if not hits and not any(each.covers(finding) for each in off):
            kept.append(finding)
    dropped = len(checked.findings) - len(kept)
    kept += [*directives.malformed, *_stale(ignoring, used, document)]
    shown = [finding for finding in kept if finding.code not in settings.ignored]
    shown.sort(key=lambda finding: (finding.line, finding.column))
    return replace(checked, findings=tuple(shown), ignored=checked.ignored + dropped + len(kept) - len(shown))


def _stale(ignoring: list[Directive], used: set[tuple[int, str]], document: Document) -> Iterator[Finding]:
    for at, directive in enumerate(ignoring):
        stale = [code for code in directive.codes if (at, code) not in used]
        if stale:
            lines = f"line {directive.first}" if directive.first == directive.last else f"lines {directive.first}–{directive.last}"
            message = f"nothing to ignore: there is no finding '{', '.join(stale)}' in {lines}"
            yield comment_finding(document, directive.line, directive.column, "stale-ignore", message, directive.text)
