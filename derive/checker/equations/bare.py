"""Expressions without a relation, in a sentence that may say what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checker.equations.equation import Equation
from derive.checker.equations.sentences import sentence_end, with_words_before
from derive.checker.equations.signs import RELATION
from derive.documents.document import Piece
from derive.formula.read import read_all
from derive.formula.statement import Statement


def bare_expressions(pieces: Sequence[Piece], number: int, around: str) -> Iterator[Equation]:
    """Expressions without a relation: "the head has $Vd$ parameters"."""
    for at, piece, before in with_words_before(pieces):
        after = pieces[at + 1].text[:60] if at + 1 < len(pieces) and pieces[at + 1].kind == "words" else ""
        if piece.kind == "math" and not RELATION.search(piece.text) and len(piece.text) > 1:
            for statement in read_all(piece.text):
                if isinstance(statement, Statement):
                    yield Equation(statement, piece.offsets, "math", before, around, number, after)


_CLAIM = re.compile(
    r"(?:参数量|参数|显存|大小|计算量|浮点运算|激活值?|次数|FLOPs)[^，。；,;\n\x02]{0,12}?(?:为|是|共|需要)\s*(?:约|大约)?\s*\**\s*"
    r"(?P<formula>[0-9A-Za-z(][0-9A-Za-z()+*^·×∗/ ²³-]{0,200}[0-9A-Za-z)²³])(?=\s*(?:[，。；,;、个字（]|$))",
    re.MULTILINE,
)


def claimed_expressions(text: str, offsets: Sequence[int], number: int, around: str) -> Iterator[Equation]:
    """`MLP块的参数量为 8h^2+5h。`: a formula in plain words, behind what it is said to be."""
    if "为" not in text and "是" not in text and "共" not in text:
        return
    for match in _CLAIM.finditer(text):
        found = read_all(match["formula"], plain=True)
        statement = found[0] if len(found) == 1 else None
        if isinstance(statement, Statement) and not statement.relations and statement.sides[0].formula.names:
            places = offsets[match.start("formula") : match.end("formula") + 1]
            yield Equation(statement, places, "words", sentence_end(text[: match.start("formula")]), around, number)
