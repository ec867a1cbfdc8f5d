"""What the checker says about one equation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from derive.records import dataclass

Verdict = Literal["exact", "exact-under", "approximation", "rounded", "wrong", "definition", "unchecked"]
VERDICTS: tuple[Verdict, ...] = ("exact", "exact-under", "approximation", "rounded", "wrong", "definition", "unchecked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The verdict on one relation: `left relation right`.

    `text` is the relation as it stands in the document, `reads_as` how it was read (sides in Unicode). `stated` and `right` are
    what the document says and what would be right, as text; `residual` is their difference, factored. `code` is one of
    `codes.CODES`. Lines and columns count from 1.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    reads_as: str
    relation: str
    verdict: Verdict
    code: str
    message: str
    stated: str | None = None
    right: str | None = None
    residual: str | None = None
    assumptions: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    relative_error: Fraction | None = None


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
