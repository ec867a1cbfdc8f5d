"""Findings as one JSON object, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from derive.checker.finding import Checked, Finding


def written(results: Iterable[Checked]) -> Iterator[str]:
    """The object, when every file is checked."""
    yield dumped({"files": [file_object(checked) for checked in results]})


def file_object(checked: Checked) -> dict[str, Any]:
    """A document's findings, its glossary, and how many findings each verdict has."""
    return {
        "file": checked.file,
        "glossary": [{"name": letter.name, "meaning": letter.meaning, "why": letter.why} for letter in checked.glossary],
        "summary": checked.summary,
        "findings": [finding_object(finding) for finding in checked.findings],
    }


def finding_object(finding: Finding) -> dict[str, Any]:
    """A finding's fields, each a JSON value."""
    return {
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "text": finding.text,
        "reads_as": finding.reads_as,
        "relation": finding.relation,
        "verdict": finding.verdict,
        "code": finding.code,
        "stated": finding.stated,
        "right": finding.right,
        "residual": finding.residual,
        "assumptions": list(finding.assumptions),
        "dropped": list(finding.dropped),
        "relative_error": as_number(finding.relative_error),
        "message": finding.message,
    }


def as_number(fraction: Fraction | None) -> float | None:
    """The fraction as a float; None where there is none, or it is beyond what a float holds."""
    if fraction is None:
        return None
    try:
        return float(fraction)
    except OverflowError:
        return None


def dumped(value: Any) -> str:
    """The value as JSON that every reader accepts: half of a surrogate pair, which no encoding holds, is replaced."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
