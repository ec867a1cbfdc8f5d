"""What a document's numbers say together: a text whose sizes are all in powers of 1024 means GiB where it writes GB."""

from __future__ import annotations

import re
from dataclasses import replace

from derive.checker.finding import Finding
from derive.documents.document import Document

_SAID = re.compile(
    r"""1\s*(?:GB|MB|KB|GiB)\s*(?:=|≈|is|为|等于)\s*(?:1,?024|2\^\{?[123]0)
    | (?:GB|MB)\s*\((?:2\^\{?[123]0|1024)
    | (?:/|÷|\}\{)\s*\(?\s*1024\s*(?:(?:\*\*|\^)\s*\{?[23]|[*×/]\s*1024)
    | (?:/|÷|\}\{)\s*\(?\s*2\s*(?:\*\*|\^)\s*\{?[23]0""",
    re.VERBOSE,
)
"""A text that says what its GB is, or divides by a power of 1024."""


def with_conventions(document: Document, findings: list[Finding]) -> list[Finding]:
    """The findings, those on units read as the document means its units: where two or more of its sizes are binary, and none is decimal."""
    binary = [finding for finding in findings if finding.code == "unit" and "iB" not in (finding.stated or "")]
    if not binary:
        return findings
    said = _SAID.search(document.source) is not None
    if len(binary) < 2 and not said:
        return findings
    if not said and any(_decimal_bytes(finding) for finding in findings):
        return findings
    return [_binary(finding) if finding in binary else finding for finding in findings]


def _decimal_bytes(finding: Finding) -> bool:
    """Whether a size holds in decimal units."""
    stated = finding.stated or ""
    return finding.verdict in ("exact", "rounded") and re.search(r"\d\s*[MGT]B", stated) is not None and "implied" not in finding.message


def _binary(finding: Finding) -> Finding:
    unit = re.search(r"([MGTP])B?", finding.right or "")
    letter = unit.group(1) if unit else "G"
    said = f"{letter}B = {letter}iB"
    return replace(
        finding,
        verdict="exact-under",
        code="binary-prefix",
        message=f"right with {said}, as in the rest of the document",
        assumptions=(said,),
        right=None,
    )
