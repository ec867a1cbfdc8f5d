"""A formula beside what its row and its column name: `| attention | 4d² |` under "params"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.checker.equality.rational import rational
from derive.checker.finding import Finding
from derive.checker.named import judge_named
from derive.checker.scope.scope import Scope
from derive.checker.tables.entries import Entry, on_entries
from derive.documents.document import Document
from derive.errors import DeriveError


def named_formulas(document: Document, head: list[Entry], row: list[Entry], scope: Scope) -> Iterator[Finding]:
    """`| attention | 4d² |` under "params": what the row and the column name, where the formula is it."""
    label = row[0].text.strip() if row else ""
    for at, entry in enumerate(row):
        if at == 0 or not entry.is_formula or entry.side is None:
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
