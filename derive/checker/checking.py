"""A document → its findings: equations in reading order, judged with what the document has said so far."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from derive.checker.conventions import with_conventions
from derive.checker.equations import Equation, equations
from derive.checker.finding import Checked, Finding, Letter
from derive.checker.glossary import Glossary, Value, glossary_from, statements
from derive.checker.glossary.meanings import MEANINGS
from derive.checker.judging import prepared, rule
from derive.checker.named import judge_named
from derive.checker.placing import nothing_to_check, placed_finding, unread_finding
from derive.checker.rational import rational
from derive.checker.ruling import EQUALITIES, Ruling, claim_value
from derive.checker.scope import Scope
from derive.checker.settings import Settings
from derive.checker.sums import displayed_sums, sum_findings
from derive.checker.tables import table_findings
from derive.documents.document import Document
from derive.errors import DeriveError, UndecidedError
from derive.formula.statement import Side, Statement, Unread
from derive.formula.tree import Name

NO_SETTINGS = Settings()


def check(text: str, format: str = "md", let: Mapping[str, str] | None = None) -> Checked:
    """The findings of a text, which can be iterated: `[finding.verdict for finding in derive.check("$12Ld^2 = 13Ld^2$")]`.

    `format` is one of md, tex, ipynb, rst, txt; `let` says what letters mean (`{"h": "hidden_size"}`). Raises `DocumentError` for a text
    that is not of that format.
    """
    from derive.checker.settings import meaning_of

    return check_text(text, format, settings=Settings(letters={letter: meaning_of(word) for letter, word in (let or {}).items()}))


def check_text(text: str, format: str = "md", name: str = "<text>", settings: Settings = NO_SETTINGS) -> Checked:
    """The findings of a text in one of the formats of `documents.reading.FORMATS`, under settings and its own comments."""
    from derive.checker.files import check as check_with_comments
    from derive.documents.reading import document_of

    return check_with_comments(document_of(text, name, format), settings)


def check_document(document: Document, settings: Settings = NO_SETTINGS) -> Checked:
    """The findings of a document, in the order of their places, and the glossary that they rest on."""
    found = list(equations(document))
    letters = dict.fromkeys(
        name for equation in found if isinstance(equation.statement, Statement) for name in _letters(equation.statement)
    )
    said = statements(document)
    meanings = glossary_from(said.evidence, letters, settings.letters)
    scope = Scope(meanings)
    findings: list[Finding] = []
    beside = _by_block(found)
    for event in _in_order(found, said.values):
        if isinstance(event, Value):
            scope.bind_meaning(event.name, event.value)
        else:
            scope.enter(beside.get(event.block, ()))
            findings.extend(_findings(document, event, scope))
    wrong = {finding.line for finding in findings if finding.verdict == "wrong"}
    findings.extend(table_findings(document, scope, wrong))
    findings.extend(sum_findings(document, wrong))
    findings.extend(displayed_sums(document, found, wrong))
    if not findings and document.name == FORMULA_NAME:
        findings = [nothing_to_check(document)]
    findings = with_conventions(document, sorted(findings, key=lambda finding: (finding.line, finding.column)))
    return Checked(document.name, document.source, tuple(findings), _shown(meanings, letters))


def _by_block(found: list[Equation]) -> dict[int, tuple[Statement, ...]]:
    """The statements of each block: a solution or a condition often stands beside an equation."""
    blocks: dict[int, tuple[Statement, ...]] = {}
    for equation in found:
        if isinstance(equation.statement, Statement) and equation.statement.relations:
            blocks[equation.block] = (*blocks.get(equation.block, ()), equation.statement)
    return blocks


FORMULA_NAME = "-e"
"""The name of a document that is one formula, typed on the command line."""


def _letters(statement: Statement) -> Iterator[str]:
    for side in statement.sides:
        yield from (name for name in side.formula.names if name not in statement.units)


def _in_order(found: list[Equation], values: tuple[Value, ...]) -> list[Equation | Value]:
    """Equations and sizes said in words, as a reader meets them."""
    events: list[tuple[int, int, Equation | Value]] = [(value.offset, 0, value) for value in values]
    events += [(equation.offsets[equation.statement.start], 1, equation) for equation in found]
    return [event for *_, event in sorted(events, key=lambda each: each[:2])]


def _shown(meanings: Glossary, letters: dict[str, None]) -> tuple[Letter, ...]:
    """The rows of the glossary that the document's equations use."""
    rows = []
    for letter in letters:
        found = meanings.meanings.get(letter, ())
        if found and found != ("other",):
            said = " or ".join(MEANINGS.get(each, each) for each in found)
            rows.append(Letter(letter, said, meanings.why.get(letter, "")))
    return tuple(rows)


def _findings(document: Document, equation: Equation, scope: Scope) -> Iterator[Finding]:
    """The findings of one statement, a relation at a time."""
    statement = equation.statement
    if isinstance(statement, Unread):
        finding = unread_finding(document, equation, statement)
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
            finding = placed_finding(document, equation, statement.sides[at], statement.sides[at + 1], relation, ruling)
            _remember(finding, ruling, statement.sides[at + 1], scope)
            if finding.verdict == "wrong" and not wrong[0]:
                wrong = finding.line, ruling.computed
            yield finding
    _bind_chain(statement, scope, wrong)


def _ruled(statement: Statement, at: int, relation: str, equation: Equation, scope: Scope) -> Ruling | None:
    """The ruling on one relation, under the reading of the statement that makes it hold."""
    first = _one(statement, at, relation, equation, scope)
    if first is None or first.verdict not in ("wrong", "unchecked"):
        return first
    least = first
    for other in statement.alternatives:
        if len(other.relations) == len(statement.relations):
            found = _one(other, at, relation, equation, scope)
            if found is not None and found.verdict in ("exact", "exact-under", "rounded", "approximation"):
                return found
            if found is not None and found.verdict == least.verdict == "wrong" and _off(found) < _off(least):
                least = found
    return least


def _off(ruling: Ruling) -> Fraction:
    """How far a stated number is off, relative to the right one."""
    return abs(ruling.relative_error) if ruling.relative_error is not None else Fraction(10**30)


def _one(statement: Statement, at: int, relation: str, equation: Equation, scope: Scope) -> Ruling | None:
    left, right = statement.sides[at], statement.sides[at + 1]
    try:
        pair = prepared(left, right, relation, statement, equation, scope, first=at == 0)
        return rule(pair, scope)
    except UndecidedError as error:
        return Ruling("unchecked", "beyond", str(error))
    except DeriveError as error:
        return Ruling("unchecked", "undecided", str(error))


def _remember(finding: Finding, ruling: Ruling, stated: Side, scope: Scope) -> None:
    if finding.verdict == "wrong" and stated.claim is not None and finding.code != "follows":
        scope.wrong.setdefault(stated.claim.value, (finding.line, ruling.computed))


def _bind_chain(statement: Statement, scope: Scope, wrong: tuple[int, Fraction | None]) -> None:
    """`P = 12Ld^2 = 6.44e9` gives P a value, which is wrong where the chain is."""
    first, last = statement.sides[0].formula, statement.sides[-1]
    if isinstance(first, Name) and last.claim is not None and set(statement.relations) <= EQUALITIES and len(statement.sides) > 2:
        scope.bind(first.name, claim_value(last.claim))
        if wrong[0]:
            scope.wrong.setdefault(claim_value(last.claim), wrong)


_ASSERTS = re.compile(
    r"""(?:参数量|计算量|运算量|激活值?(?:\(fp16\)|显存|内存)?|parameter\ count
    |number\ of\ (?:\w+\ )?parameters(?:\ (?:of|in)\ [\w\ -]{1,40})?|KV\ ?cache.{0,12})\s*
    (?:每层|总共)?(?:为|是|等于|[:：]|\b(?:is|equals))\s*(?:约|大约|about|exactly)?\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words behind which a formula is said to be what was named, so surely that it can be wrong."""
_COUNTED = re.compile(
    r"\s*(?:trainable |learnable |model |total )?(parameters|params|weights|bytes)\b(?! (?:per|for each|in each|and|plus|each))"
)
"""Words behind a formula that say what it counts."""
_HAS = re.compile(
    r"""(?:^|[,;:.]\ )\s*(?:so\ |thus\ |then\ |therefore\ |hence\ |and\ )?(?:(?:the|an?|each|every|one)\s+)?
    (?:[\w-]+\s+){1,4}(?:has|have|contains?)\s+(?:about\ |roughly\ |exactly\ |a\ total\ of\ )?$""",
    re.IGNORECASE | re.VERBOSE,
)
"""A short subject that has what is counted: "the MLP block has"."""


def _bare(document: Document, equation: Equation, statement: Statement, scope: Scope) -> Iterator[Finding]:
    """An expression in a sentence that names what it is: "the head has $Vd$ parameters"."""
    side = statement.sides[0]
    if not side.formula.names or isinstance(side.formula, Name) or not equation.label:
        return
    counted = _COUNTED.match(equation.after)
    label = f"{equation.label} {counted.group(1)}" if counted else equation.label
    try:
        formula = rational(side.formula, statement.units, {})
        found = judge_named(label, equation.around, formula, scope, loose=True)
    except DeriveError:
        return
    sure = _ASSERTS.search(equation.label) or (counted and _HAS.search(equation.label))
    if found is None or found.verdict == "unchecked" or (found.verdict == "wrong" and not sure):
        return
    ruling = Ruling(found.verdict, found.code, found.message, assumptions=found.assumptions, dropped=found.dropped)
    yield placed_finding(document, equation, side, side, "", ruling)
