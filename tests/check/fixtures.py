r"""Documents with their expected findings, in the manner of markdown-it-py: title, text, what is expected.

    Gigabytes for gibibytes
    .
    4 × 1024³ bytes = 4 GB
    .
    1 wrong unit ~ GiB
    .

An expectation is a line, a verdict (or several, joined by `|`), and perhaps the code and, after `~`, words of the finding.
On a line they stand in the order of the findings; findings that nobody expects are allowed, unless they are wrong.
`none` says that the document has no finding at all; nothing, that it has no wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

DOCUMENTS = Path(__file__).parent / "documents"
WORDS = {
    "right": "exact|exact-under|approximation|rounded|definition",
    "equal": "exact|exact-under",
    "open": "exact|exact-under|approximation|rounded|definition|unchecked",
}
"""`right` is decided and not wrong, `equal` is proved, `open` is anything but wrong."""


@dataclass(frozen=True)
class Expected:
    line: int
    verdicts: frozenset[str]
    code: str = ""
    words: str = ""

    def fits(self, finding) -> bool:
        on_line = finding.line <= self.line <= finding.end_line
        coded = not self.code or finding.code == self.code
        return on_line and coded and finding.verdict in self.verdicts and squeezed(self.words) in squeezed(said(finding))

    def __str__(self) -> str:
        return " ".join(filter(None, (str(self.line), "|".join(sorted(self.verdicts)), self.code, self.words and f"~ {self.words}")))


@dataclass(frozen=True)
class Case:
    theme: str
    title: str
    text: str
    expected: tuple[Expected, ...]
    silent: bool = False

    def __str__(self) -> str:
        return f"{self.theme}: {self.title}"


def cases(*themes: str) -> list[Case]:
    """The cases of these files, or of every file but the restated facts."""
    files = [DOCUMENTS / f"{theme}.md" for theme in themes] or sorted(DOCUMENTS.glob("*.md"))
    return [case for file in files for case in read_cases(file) if themes or file.stem != "restated"]


def read_cases(file: Path) -> list[Case]:
    """Every case of a file."""
    found = []
    parts = re.split(r"(?m)^\.\n", file.read_text(encoding="utf-8"))
    for title, text, expected in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        rows = expected.strip().splitlines()
        silent = rows == ["none"]
        found.append(Case(file.stem, title.strip(), text, () if silent else tuple(map(read_expected, rows)), silent))
    return found


def read_expected(row: str) -> Expected:
    rule, _, words = row.partition(" ~ ")
    line, verdict, code = (*rule.split(), "")[:3]
    verdicts = "|".join(WORDS.get(word, word) for word in verdict.split("|"))
    return Expected(int(line), frozenset(verdicts.split("|")), code, words.strip())


def said(finding) -> str:
    """All that a finding says besides its place."""
    return " ".join(map(str, (finding.message, finding.right, finding.residual, *finding.assumptions, *finding.dropped)))


def squeezed(text: str) -> str:
    return re.sub(r"[\s,·]", "", text).lower()


def complaints(case: Case, findings) -> list[str]:
    """What is not as expected: each expectation takes the first finding that fits it, behind those taken on its line."""
    if case.silent:
        return [f"no finding expected: {shown(finding)}" for finding in findings]
    taken: dict[int, Expected] = {}
    last: dict[int, int] = {}
    missing = []
    for expected in case.expected:
        after = last.get(expected.line, -1)
        at = next((at for at, finding in enumerate(findings) if at > after and at not in taken and expected.fits(finding)), None)
        if at is None:
            missing.append(f"not found: {expected}")
        else:
            taken[at], last[expected.line] = expected, at
    extra = [f"not expected: {shown(finding)}" for at, finding in enumerate(findings) if finding.verdict == "wrong" and at not in taken]
    return missing + extra


def shown(finding) -> str:
    return (
        f"{finding.line}:{finding.column} {finding.verdict} {finding.code}: {finding.text!r} read as {finding.reads_as} ({finding.message})"
    )


def moved(case: Case, lines: int) -> Case:
    """The case with its lines counted from further down."""
    return replace(case, expected=tuple(replace(each, line=each.line + lines) for each in case.expected))
