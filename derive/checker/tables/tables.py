"""Tables: an expression beside its value, a formula beside what it names, a column that its head computes, parts and their total."""

from __future__ import annotations

from collections.abc import Iterator

from derive.checker.finding import Finding
from derive.checker.scope.scope import Scope
from derive.checker.tables.computations import beside_a_number, under_a_formula
from derive.checker.tables.entries import entry_of
from derive.checker.tables.formulas import named_formulas
from derive.checker.tables.totals import totals
from derive.documents.document import Block, Document

MOST_ROWS = 2000


def table_findings(document: Document, scope: Scope, wrong: set[int]) -> Iterator[Finding]:
    """The findings of the rows and columns of a document's tables; `wrong` are the lines where something is wrong, which it adds to."""
    for block in document.blocks:
        if block.kind == "table" and 1 < len(block.rows) <= MOST_ROWS:
            yield from _table(document, block, scope, wrong)


def _table(document: Document, block: Block, scope: Scope, wrong: set[int]) -> Iterator[Finding]:
    rows = [[entry_of(cell) for cell in row] for row in block.rows]
    head, body = (rows[0], rows[1:]) if block.header else ([], rows)
    for row in body:
        found = [*beside_a_number(document, row), *named_formulas(document, head, row, scope), *under_a_formula(document, head, row)]
        for finding in found:
            if finding.verdict == "wrong":
                wrong.add(finding.line)
            yield finding
    yield from totals(document, body, wrong)
