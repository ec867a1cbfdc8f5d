"""What a program says of its own results: `kv = 2 * 80 * 8 * 128  # 163,840`, and a session with its output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.documents.document import Piece
from derive.errors import DeriveError
from derive.formula.read import read_all
from derive.formula.statement import Statement

_SUM = r"(?P<code>[\d(][\d \t_.eE()]*[*/+-][\d \t_.eE()*/+-]*?)"
_NUMBER = (
    r"(?P<number>\d[\d,._]*(?:e[+-]?\d+)?(?:[ ]?(?:[KMGTP]i?B|[KMBT]|thousand|million|billion|trillion|bytes|params|parameters|FLOPs)\b)?)"
)
_NAMED = r"^[ \t]*(?:>>> )?(?:print\(|[\w.\[\]'\"]+[ \t]*=[ \t]*)?"
_SAID = r"[ \t]*(?P<sign>==?|≈|~|->|=>|→|about)?[ \t]*"
_COMMENTS = {mark: re.compile(rf"{_NAMED}{_SUM}\)?;?[ \t]*{mark}{_SAID}{_NUMBER}", re.MULTILINE) for mark in ("#", "//")}
_SESSION = re.compile(rf"^[ \t]*>>> (?P<sign>){_SUM}[ \t]*\n[ \t]*{_NUMBER}[ \t]*$", re.MULTILINE)
_LONGEST = 50_000
_FAR = Fraction(20)
"""A number that is so many times as large is a remark on something else."""
_FEWEST_DIGITS = 4
"""A shorter number without a sign may count something else, where it is not the result."""


def results(piece: Piece, mark: str) -> Iterator[tuple[Statement, list[int]]]:
    """The computations that are followed by their results, as equations, with the place of each of their characters.

    `mark` is what begins a comment.
    """
    if len(piece.text) > _LONGEST or (mark not in piece.text and ">>>" not in piece.text):
        return
    for pattern in (_COMMENTS[mark], _SESSION):
        for match in pattern.finditer(piece.text):
            code, number, sign = match["code"].rstrip(), match["number"].rstrip(",._"), match["sign"]
            if "//" in code:
                continue
            relation = "≈" if sign in ("≈", "~", "about") else "="
            statement = _read(f"{code.replace('_', '')} {relation} {number.replace('_', ',')}")
            short = sign is None and number.isdecimal() and len(number) < _FEWEST_DIGITS
            if statement is not None and _is_near(statement, Fraction(1) if short else _FAR):
                yield statement, _places(piece, match.start("code"), match.start("number"), statement)


def _read(text: str) -> Statement | None:
    found = read_all(text, plain=True)
    statement = found[0] if len(found) == 1 else None
    return statement if isinstance(statement, Statement) and len(statement.sides) == 2 and statement.sides[1].claim is not None else None


def _is_near(statement: Statement, times: Fraction) -> bool:
    """Whether the number can be meant for the result: it is not more than so many times as large or as small."""
    try:
        computed, stated = (value_of(side.formula, UNIT_VALUES) for side in statement.sides)
    except DeriveError:
        return False
    return computed > 0 and stated > 0 and 1 / times <= computed / stated <= times


def _places(piece: Piece, code: int, number: int, statement: Statement) -> list[int]:
    """The places in the document of the statement's characters: the computation's, and from the second side on the number's."""
    behind = statement.sides[1].start
    text = statement.text
    places = [code + min(at, number - code) for at in range(behind)] + [number + at - behind for at in range(behind, len(text) + 1)]
    return [piece.offsets[min(place, len(piece.offsets) - 1)] for place in places]
