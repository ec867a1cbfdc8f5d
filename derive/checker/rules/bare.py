"""An expression without a relation, in a sentence that says what it is: "the head has $Vd$ parameters"."""

from __future__ import annotations

import re
from dataclasses import replace

from derive.checker.equality.rational import rational
from derive.checker.equations import Equation
from derive.checker.finding import Finding
from derive.checker.named import judge_named
from derive.checker.placing import on_sides
from derive.checker.scope.scope import Scope
from derive.documents.document import Document
from derive.errors import DeriveError
from derive.formula.statement import Statement

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


def bare_finding(document: Document, equation: Equation, statement: Statement, scope: Scope) -> Finding | None:
    """The finding on a bare expression, where the words around it name what the engine knows; wrong only where they assert it."""
    side = statement.sides[0]
    counted = _COUNTED.match(equation.after)
    label = f"{equation.label} {counted.group(1)}" if counted else equation.label
    try:
        formula = rational(side.formula, statement.units, {})
        found = judge_named(label, equation.around, formula, scope, loose=True)
    except DeriveError:
        return None
    sure = _ASSERTS.search(equation.label) or (counted and _HAS.search(equation.label))
    if found is None or found.verdict == "unchecked" or (found.verdict == "wrong" and not sure):
        return None
    return on_sides(document, equation, side, side, "", replace(found, right=None, residual=None))
