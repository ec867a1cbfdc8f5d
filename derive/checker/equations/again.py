"""A number that is said again in other digits: `= 6,442,450,944 (约 64.4 亿)`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from derive.checker.equations.equation import Equation
from derive.formula.read import read_all
from derive.formula.statement import Statement, Unread

_AGAIN = r"""
    \x03?\s* (?:[A-Za-z]{1,12}|[\u4e00-\u9fff]{1,3})?\s*                       # the unit of the number that is said again
    (?:[(（]|[,，、;；](?=\s*(?:[\u4e00-\u9fff]|i\.e)))\s*
    (?:(?:或|即|也就是|大约是|大约为|大约|约为|约等于|约是|大概|约
        |i\.e\.,?|about|approximately|roughly|approx\.?|around|≈|~|\\approx)\s*){1,2}
    (?<=[^A-Za-z])\x02?
    (?P<number>\d[\d,.]*\d?
        (?:\s?(?:[KMGTPB]i?B?(?![A-Za-z])|万亿|千亿|百亿|十亿|亿|千万|百万|万|[bmtr]+illion)(?:\s?(?:bytes|字节))?)?%?)
    (?![\d万亿]|[.,]\d)
    (?!\x03?[ \t]?(?:[A-Za-z]{1,12}\b(?<!params)(?<!parameters)(?<!weights)(?<!bytes)(?<!FLOPs)|天|年|小时|倍|个月|秒|分))
"""


@cache
def _again() -> re.Pattern[str]:
    """Its Chinese letters take milliseconds to compile, which most documents need not wait for."""
    return re.compile(_AGAIN, re.VERBOSE)


def said_again(equation: Equation, whole: str, offsets: Sequence[int]) -> Equation | None:
    """`= 6,442,450,944 (约 64.4 亿)`, `= 38,597,376, about 38.6M`: the last side said again in other digits."""
    statement = equation.statement
    if isinstance(statement, Unread) or not set(statement.sides[-1].formula.names) <= statement.sides[-1].units:
        return None
    end = equation.offsets[min(statement.end, len(equation.offsets) - 1)]
    match = _again().match(whole, bisect_left(offsets, end))
    if match is None:
        return None
    number = read_all(match.group("number"), plain=True)
    if len(number) != 1 or isinstance(number[0], Unread) or number[0].sides[0].claim is None:
        return None
    shift = len(equation.offsets)
    side = replace(number[0].sides[0], start=shift, end=shift + len(match.group("number")))
    again = Statement(match.group("number"), (statement.sides[-1], side), ("≈",), statement.units | side.units)
    places = [*equation.offsets, *offsets[match.start("number") : match.end("number") + 1]]
    return replace(equation, statement=again, offsets=places)
