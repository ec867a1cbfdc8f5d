"""Tables and lists: an expression beside its value, a formula beside what it names, parts and their total."""

from __future__ import annotations

from collections.abc import Iterator

from derive.check.finding import Finding
from derive.check.scope import Scope
from derive.documents.document import Document


def table_findings(document: Document, scope: Scope) -> Iterator[Finding]:
    """The findings of the rows and columns of a document's tables."""
    yield from ()
