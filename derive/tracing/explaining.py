"""Numbers that were seen, as an expression of the fields: where a length came from, else what fits, else a choice between a few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from derive.tracing.deciding import Conditions, Row, bits
from derive.tracing.fitting import common, fitted, plainly, simplest, values

_MOST_CASES = 4


class NotRecognisedError(Exception):
    """What could not be explained, by name."""


def explained(what: str, rows: Sequence[Row], wanted: Sequence[Any], sources: Iterable[str | None], count: str = "") -> str:
    """An expression for what was seen in the rows: one of the sources, else what fits, else a choice between them.

    `count` is the number of layers, where rows are layers.
    """
    rows, wanted = _distinct(rows, wanted)
    candidates = list(dict.fromkeys(plainly(source) for source in sources if source))
    if len(set(map(repr, wanted))) == 1 and not any(candidate.replace(".", "").isidentifier() for candidate in candidates):
        return repr(wanted[0])
    found = simplest(candidates, rows, wanted)
    if found is None:
        found = fitted(rows, wanted)
    if found is None:
        found = _cases(rows, wanted, candidates, count) or _cases(rows, wanted, [*candidates, *common(rows, wanted)], count)
    if found is None:
        raise NotRecognisedError(f"{what}: {sorted(set(map(str, wanted)))[:6]}, from {candidates[:3]}")
    return found


def _cases(rows: Sequence[Row], wanted: Sequence[Any], candidates: Sequence[str], count: str) -> str | None:
    """`a if condition else b`, for as few cases as cover the rows."""
    covers = {text: bits(found == one for found, one in zip(values(text, rows), wanted, strict=True)) for text in candidates}
    conditions = Conditions(rows, count)
    return _choose(conditions, covers, conditions.everywhere, _MOST_CASES)


def _choose(conditions: Conditions, covers: Mapping[str, int], left: int, most: int) -> str | None:
    whole = [text for text, rows in covers.items() if not (left & ~rows)]
    if whole:
        return min(whole, key=len)
    if most == 1:
        return None
    pair = _pair(conditions, covers, left)
    if pair or most == 2:
        return pair
    for text, rows in sorted(covers.items(), key=lambda item: -(item[1] & left).bit_count()):
        inside = rows & left
        if not inside:
            return None
        others = 0
        for other, other_rows in covers.items():
            if other != text:
                others |= other_rows & left
        required = left & ~others if left & ~others else inside & ~others
        condition = conditions.separating(required & inside, (inside | ~left) & conditions.everywhere) if required & inside else None
        if condition:
            at = conditions.rows_where(condition)
            rest = _choose(conditions, covers, left & ~at, most - 1)
            if rest is not None:
                return f"{text} if {condition} else {rest}"
    return None


def _pair(conditions: Conditions, covers: Mapping[str, int], left: int) -> str | None:
    """The shortest `a if condition else b` that covers the rows that are left."""
    found: list[str] = []
    for text, rows in covers.items():
        for other, other_rows in covers.items():
            required = left & ~other_rows
            if other != text and required and not (required & ~rows):
                condition = conditions.separating(required, (rows | ~left) & conditions.everywhere)
                if condition:
                    found.append(f"{text} if {condition} else {other}")
    return min(found, key=len, default=None)


def _distinct(rows: Sequence[Row], wanted: Sequence[Any]) -> tuple[list[Row], list[Any]]:
    """Rows without repetition: the same fields and the same place."""
    kept: dict[tuple[int, tuple[int, ...]], tuple[Row, Any]] = {}
    for row, one in zip(rows, wanted, strict=True):
        kept.setdefault((id(row[0]), row[1][:1]) if row[1] else (id(row[0]), ()), (row, one))
        if kept[(id(row[0]), row[1][:1])][1] != one:
            kept[(id(row[0]), row[1])] = (row, one)
    pairs = list(kept.values())
    return [row for row, _ in pairs], [one for _, one in pairs]
