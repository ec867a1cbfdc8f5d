"""Findings in SARIF 2.1.0, the format of code scanning: wrong ones are errors, those to look at are notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from derive.checker.codes import CODES, COMMENT_CODES, Code
from derive.checker.finding import Checked, Finding, Verdict
from derive.checker.output.json import as_number, dumped

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS: dict[Verdict, str] = {"wrong": "error", "approximation": "note", "unchecked": "note"}
"""Findings of other verdicts are no results: nothing is to be done about them."""
_RULE_INDEX = {code.name: at for at, code in enumerate(CODES)}


def written(results: Iterable[Checked]) -> Iterator[str]:
    """The log of one run, when every file is checked."""
    found = [result for checked in results for finding in checked.findings for result in _results(finding, checked.file)]
    driver = {"name": "derive check", "version": version("derive"), "rules": [_rule(code) for code in CODES]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": found}
    yield dumped({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def level(code: str, verdict: Verdict) -> str:
    """How much a finding matters; "none" where nothing is to be done."""
    return "warning" if code in COMMENT_CODES else LEVELS.get(verdict, "none")


def _rule(code: Code) -> dict[str, Any]:
    text = f"{code.meaning}\n\nExample: {code.example}\n\n{code.advice}"
    return {
        "id": code.name,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": code.meaning},
        "fullDescription": {"text": code.meaning},
        "help": {"text": text, "markdown": f"{code.meaning}\n\nExample: `{code.example}`\n\n{code.advice}"},
        "defaultConfiguration": {"level": level(code.name, code.verdict)},
    }


def _results(finding: Finding, file: str) -> Iterator[dict[str, Any]]:
    matters = level(finding.code, finding.verdict)
    if matters == "none":
        return
    rule = {"ruleIndex": _RULE_INDEX[finding.code]} if finding.code in _RULE_INDEX else {}
    yield {
        "ruleId": finding.code,
        **rule,
        "level": matters,
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(file)}, "region": _region(finding)}}],
        "properties": {"verdict": finding.verdict, "readsAs": finding.reads_as, "relativeError": as_number(finding.relative_error)},
    }


def _message(finding: Finding) -> str:
    parts = (("", finding.message), ("Read as: ", finding.reads_as), ("Right: ", finding.right))
    return "\n".join(name + text for name, text in parts if text)


def _region(finding: Finding) -> dict[str, int]:
    """The span; SARIF's end column is the one after the last, too, and no region is empty or ends before it starts."""
    end_line = max(finding.line, finding.end_line)
    end_column = finding.end_column if end_line > finding.line else max(finding.end_column, finding.column + 1)
    return {"startLine": finding.line, "startColumn": finding.column, "endLine": end_line, "endColumn": max(end_column, 1)}


def uri(file: str) -> str:
    """The file relative to the working folder, with forward slashes; absolute where it is elsewhere."""
    path = Path(file)
    if path.is_absolute() or ".." in path.parts:
        path = path.resolve()
        here = Path().resolve()
        if not path.is_relative_to(here):
            return path.as_uri()
        path = path.relative_to(here)
    return quote(path.as_posix().encode("utf-8", "replace"))
