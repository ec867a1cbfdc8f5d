"""One statement → its findings, a relation at a time."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derive.checker.arithmetic.values import claim_value
from derive.checker.equations import Equation
from derive.checker.finding import Finding, Ruling
from derive.checker.placing import on_sides, on_unread
from derive.checker.rules.pair import EQUALITIES
from derive.checker.rules.relations import prepared, rule
from derive.checker.scope.scope import Scope
from derive.documents.document import Document
from derive.errors import DeriveError, UndecidedError
from derive.formula.statement import Side, Statement, Unread
from derive.formula.tree import Name


def statement_findings(document: Document, equation: Equation, scope: Scope) -> Iterator[Finding]:
    """The findings of one statement, a relation at a time."""
    statement = equation.statement
    if isinstance(statement, Unread):
        finding = on_unread(document, equation, statement)
        if finding is not None:
            yield finding
        return
    if not statement.relations:
        yield from _bare(document, equation, statement, scope)
        return
    wrong: tuple[int, Fraction | None] = (0, None)
    for at, relation in enumerate(statement.relations):
        ruling = _ruled(statement, at, relation, equation, scope)
        if ruling is not None:
            finding = on_sides(document, equation, statement.sides[at], statement.sides[at + 1], relation, ruling)
            _remember(finding, statement.sides[at + 1], scope)
            if finding.verdict == "wrong" and not wrong[0]:
                wrong = finding.line, finding.computed
            yield finding
    _bind_chain(statement, scope, wrong)


def _bare(document: Document, equation: Equation, statement: Statement, scope: Scope) -> Iterator[Finding]:
    """The finding on an expression alone, where words stand before it."""
    formula = statement.sides[0].formula
    if not formula.names or isinstance(formula, Name) or not equation.label:
        return
    from derive.checker.rules.bare import bare_finding

    found = bare_finding(document, equation, statement, scope)
    if found is not None:
        yield found


def _ruled(statement: Statement, at: int, relation: str, equation: Equation, scope: Scope) -> Ruling | None:
    """The ruling on one relation, under the reading of the statement that makes it hold."""
    first = _as_read(statement, at, relation, equation, scope)
    if first is None or first.verdict not in ("wrong", "unchecked"):
        return first
    least = first
    for other in statement.alternatives:
        if len(other.relations) == len(statement.relations):
            found = _as_read(other, at, relation, equation, scope)
            if found is not None and found.verdict in ("exact", "exact-under", "rounded", "approximation"):
                return found
            if found is not None and found.verdict == least.verdict == "wrong" and _off(found) < _off(least):
                least = found
    return least


def _off(ruling: Ruling) -> Fraction:
    """How far a stated number is off, relative to the right one."""
    return abs(ruling.relative_error) if ruling.relative_error is not None else Fraction(10**30)


def _as_read(statement: Statement, at: int, relation: str, equation: Equation, scope: Scope) -> Ruling | None:
    """The ruling on one relation in one reading of the statement; what the algebra cannot do is said in it."""
    left, right = statement.sides[at], statement.sides[at + 1]
    try:
        pair = prepared(left, right, relation, statement, equation, scope, first=at == 0)
        return rule(pair, scope)
    except UndecidedError as error:
        return Ruling("unchecked", "beyond", str(error))
    except DeriveError as error:
        return Ruling("unchecked", "undecided", str(error))


def _remember(finding: Finding, stated: Side, scope: Scope) -> None:
    """A number that is wrong: what is computed from it follows from the error."""
    if finding.verdict == "wrong" and stated.claim is not None and finding.code != "follows":
        scope.wrong.setdefault(stated.claim.value, (finding.line, finding.computed))


def _bind_chain(statement: Statement, scope: Scope, wrong: tuple[int, Fraction | None]) -> None:
    """`P = 12Ld^2 = 6.44e9` gives P a value, which is wrong where the chain is."""
    first, last = statement.sides[0].formula, statement.sides[-1]
    if isinstance(first, Name) and last.claim is not None and set(statement.relations) <= EQUALITIES and len(statement.sides) > 2:
        scope.bind(first.name, claim_value(last.claim))
        if wrong[0]:
            scope.wrong.setdefault(claim_value(last.claim), wrong)
