"""What the checker says: a ruling on one relation, a finding where it has a place, and all findings of a document."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from derive.records import dataclass

Verdict = Literal["exact", "exact-under", "approximation", "rounded", "wrong", "definition", "unchecked"]
VERDICTS: tuple[Verdict, ...] = ("exact", "exact-under", "approximation", "rounded", "wrong", "definition", "unchecked")

FORMULA_NAME = "-e"
"""The name of a document that is one formula, typed on the command line."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one relation, wherever it stands.

    `code` is one of `codes.CODES`. `stated` and `right` are what the document says and what would be right, as text; `residual` is
    their difference, factored. `assumptions` are what must hold for the verdict, `dropped` the terms that an approximation leaves
    out, `relative_error` how far off the stated side is. `computed` is the right number itself, which later lines may rest on.
    """

    verdict: Verdict
    code: str
    message: str
    right: str | None = None
    stated: str | None = None
    residual: str | None = None
    assumptions: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    relative_error: Fraction | None = None
    computed: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Ruling):
    """A ruling on `left relation right`, and where that stands.

    `text` is the relation as it stands in the document, `reads_as` how it was read (sides in Unicode). Lines and columns count from 1.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    reads_as: str
    relation: str


@dataclass(frozen=True, slots=True)
class Letter:
    """A row of the glossary: what a letter of the document was taken to mean, and why."""

    name: str
    meaning: str
    why: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A document that was checked: its findings in order of place, the glossary that was used, and how many findings were ignored."""

    file: str
    source: str
    findings: tuple[Finding, ...]
    glossary: tuple[Letter, ...] = ()
    ignored: int = 0

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, at: int) -> Finding:
        return self.findings[at]

    @property
    def summary(self) -> dict[str, int]:
        """How many findings each verdict has; verdicts without any are left out."""
        counts = {verdict: sum(finding.verdict == verdict for finding in self.findings) for verdict in VERDICTS}
        return {verdict: count for verdict, count in counts.items() if count}
