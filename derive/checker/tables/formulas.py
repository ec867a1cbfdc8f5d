"""A formula beside what its row and its column name: `| attention | 4d² |` under "params"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from derive.checker.equality.rational import rational
from derive.checker.finding import Finding
from derive.checker.named import judge_named
from derive.checker.scope.scope import Scope
from derive.checker.tables.entries import Entry, on_entries
from derive.documents.document import Document
from derive.errors import DeriveError
from derive.formula.tree import Name

SHORT_REMARK = 6
"""Letters beside a formula in a cell that do not yet make it a phrase: `about`, `each`."""
_GREEK = re.compile(r"\$?\s*(?:\\[a-z]+|[α-ωΑ-Ω])\s*_")
"""A tensor such as a norm's γ, whose subscript says where it stands and not what it counts."""


def _only_named(entry: Entry) -> bool:
    """Whether the entry is a phrase that names a letter, as `tokens of the context $n$` does."""
    words = len(entry.text) - len(entry.offsets) + 1
    return entry.side is not None and isinstance(entry.side.formula, Name) and words > SHORT_REMARK


def named_formulas(document: Document, head: list[Entry], row: list[Entry], scope: Scope) -> Iterator[Finding]:
    """`| attention | 4d² |` under "params": what the row and the column name, where the formula is it."""
    label = row[0].text.strip() if row else ""
    if _GREEK.match(label):
        return
    for at, entry in enumerate(row):
        if at == 0 or not entry.is_formula or entry.side is None or _only_named(entry):
            continue
        column = head[at].text.strip() if at < len(head) else ""
        try:
            formula = rational(entry.side.formula, entry.side.units, {})
            found = judge_named(f"{label} {column}", "", formula, scope, loose=True)
        except DeriveError:
            continue
        if found is None or found.verdict == "unchecked":
            continue
        yield on_entries(document, entry, entry, f"{label} {column}: {entry.side}", "", replace(found, residual=None, dropped=()))
