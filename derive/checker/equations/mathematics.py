"""The equations of one piece of mathematics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from derive.checker.equations.equation import Equation
from derive.checker.equations.signs import RELATION
from derive.documents.document import Piece
from derive.formula.read import read_all
from derive.formula.statement import Unread
from derive.formula.units import SINGLE, UNITS, scale


def in_mathematics(piece: Piece, label: str, around: str, number: int) -> Iterator[Equation]:
    """The statements of one piece of mathematics; `+ 38.6M = 123.6M` goes on with what stands before it."""
    if piece.text.lstrip()[:1] == "+":
        return
    for statement in read_all(piece.text):
        if isinstance(statement, Unread) and not RELATION.search(statement.text):
            continue
        yield Equation(statement, piece.offsets, "math", label, around, number)


_UNIT_BEHIND = re.compile(r"\s?([A-Za-zµ]{1,12}(?:/[A-Za-z]+)?|[万亿千百十]{1,2}|[%‰](?!\w))")


def with_unit_behind(piece: Piece, following: Sequence[Piece]) -> Piece:
    """`$… = 75$ MB`: the unit that stands behind the mathematics belongs to its number."""
    if not following or following[0].kind != "words" or not piece.text.rstrip()[-1:].isdigit():
        return piece
    last = RELATION.split(piece.text)[-1]
    match = _UNIT_BEHIND.match(following[0].text)
    if re.search(r"[A-Za-z]", re.sub(r"\\(?:times|cdot|frac|left|right|quad|text)(?![a-z])", "", last)):
        return piece  # the unit of a formula with letters
    if match is None or (match.group(1) not in UNITS and scale(match.group(1)) is None):
        return piece
    if match.group(1) in SINGLE and following[0].text[:1] == " ":
        return piece
    added = r"\%" if match.group(1) == "%" else rf"\text{{ {match.group(1)}}}"
    end = following[0].offsets[match.end()]
    return Piece("math", piece.text + added, [*piece.offsets[: len(piece.text)], *([piece.offsets[-1]] * len(added)), end])
