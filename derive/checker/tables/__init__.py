"""Tables and lists: computations beside their results, parts and their totals."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from derive.checker.equations import Equation
from derive.checker.finding import Finding
from derive.checker.scope.scope import Scope
from derive.documents.document import Document

__all__ = ["list_findings", "table_findings"]

# Loaded only for a document with tables, lists or code, or with several equations in one display.


def table_findings(document: Document, scope: Scope, wrong: set[int]) -> Iterator[Finding]:
    """The findings of the rows and columns of a document's tables; `wrong` are the lines where something is wrong, which it adds to."""
    if any(block.kind == "table" for block in document.blocks):
        from derive.checker.tables import tables

        yield from tables.table_findings(document, scope, wrong)


def list_findings(document: Document, equations: Sequence[Equation], wrong: set[int]) -> Iterator[Finding]:
    """The totals of lists, of lines of code, and of rows of one display, against their parts."""
    listed = any(block.kind in ("item", "code") for block in document.blocks)
    if listed or any(one.block == other.block for one, other in pairwise(equations)):
        from derive.checker.tables import lists

        yield from lists.sum_findings(document, wrong)
        yield from lists.displayed_sums(document, equations, wrong)
