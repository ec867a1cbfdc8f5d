"""A document → its findings: equations in reading order, judged with what the document has said so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from derive.checker.conventions import with_conventions
from derive.checker.equations import Equation, equations
from derive.checker.finding import FORMULA_NAME, Checked, Finding, Letter
from derive.checker.glossary import MEANINGS, OTHER, Glossary, Statements, Value, glossary_from, statements
from derive.checker.placing import nothing_to_check
from derive.checker.rules.statements import statement_findings
from derive.checker.scope.scope import Scope
from derive.checker.tables import list_findings, table_findings
from derive.documents.document import Document
from derive.formula.statement import Statement


def judged(document: Document, letters: Mapping[str, str]) -> Checked:
    """The findings of a document, in the order of their places, and the glossary that they rest on; `letters` are what letters mean."""
    found = tuple(equations(document))
    used = tuple(dict.fromkeys(letter for equation in found for letter in equation.letters))
    said = statements(document)
    glossary = glossary_from(said.evidence, used, letters)
    scope = Scope(glossary)
    findings = list(_in_equations(document, found, said, scope))
    wrong = {finding.line for finding in findings if finding.verdict == "wrong"}
    findings.extend(table_findings(document, scope, wrong))
    findings.extend(list_findings(document, found, wrong))
    if not findings and document.name == FORMULA_NAME:
        findings = [nothing_to_check(document)]
    findings = with_conventions(document, sorted(findings, key=lambda finding: (finding.line, finding.column)))
    return Checked(document.name, document.source, tuple(findings), _shown(glossary, used))


def _in_equations(document: Document, found: Sequence[Equation], said: Statements, scope: Scope) -> Iterator[Finding]:
    """The findings of the equations; the scope holds afterwards what the whole document says."""
    beside = _by_block(found)
    for event in _in_order(found, said.values):
        if isinstance(event, Value):
            scope.bind_meaning(event.name, event.value)
        else:
            scope.enter(beside.get(event.block, ()))
            yield from statement_findings(document, event, scope)


def _by_block(found: Sequence[Equation]) -> dict[int, tuple[Statement, ...]]:
    """The statements of each block: a solution or a condition often stands beside an equation."""
    blocks: dict[int, tuple[Statement, ...]] = {}
    for equation in found:
        if isinstance(equation.statement, Statement) and equation.statement.relations:
            blocks[equation.block] = (*blocks.get(equation.block, ()), equation.statement)
    return blocks


def _in_order(found: Sequence[Equation], values: tuple[Value, ...]) -> list[Equation | Value]:
    """Equations and sizes said in words, as a reader meets them."""
    events: list[tuple[int, int, Equation | Value]] = [(value.offset, 0, value) for value in values]
    events += [(equation.start, 1, equation) for equation in found]
    return [event for *_, event in sorted(events, key=lambda each: each[:2])]


def _shown(glossary: Glossary, letters: Sequence[str]) -> tuple[Letter, ...]:
    """The rows of the glossary that the document's equations use."""
    rows = []
    for letter in letters:
        found = glossary.meanings.get(letter, ())
        if found and found != (OTHER,):
            said = " or ".join(MEANINGS.get(each, each) for each in found)
            rows.append(Letter(letter, said, glossary.why.get(letter, "")))
    return tuple(rows)
