"""Which condition on the fields and on the place of a layer separates what was seen: the smallest that fits every row.

Conditions are sets of rows, kept as the bits of one integer, so that thousands of combinations are compared quickly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from derive.atlas.expression import PLACES, Fields, Places, holds, mentions

Row = tuple[Fields, Places]

_CONSTANTS = range(2, 9)
_MOST_ALTERNATIVES = 60
_MOST_PAIRS = 600
_OF_LAYERS = re.compile(
    r"layer|period|interval|every|freq|step|offset|first|dense|skip|shared|pattern|start|end|stride|block|group|depth|loop|switch|mtp|index"
)
"""Words in the names of fields that say which layers have something; other fields are tried last."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, the rows where it holds, and how complicated it is to read."""

    text: str
    rows: int
    cost: float


def bits(flags: Iterable[bool]) -> int:
    """The set of the rows whose flag is true."""
    return int("0" + "".join("1" if flag else "0" for flag in flags), 2)


def where(text: str, rows: Sequence[Row]) -> int:
    """The rows in which a condition holds; where it has no value it does not hold."""
    if mentions(text, PLACES):
        return bits(holds(text, fields, places) for fields, places in rows)
    once: dict[int, bool] = {}
    for fields, places in rows:
        if id(fields) not in once:
            once[id(fields)] = holds(text, fields, places)
    return bits(once[id(fields)] for fields, _ in rows)


class Conditions:
    """The simple conditions over some rows; places are counted up to `count`, an expression, where the rows are layers."""

    def __init__(self, rows: Sequence[Row], count: str = "") -> None:
        self.rows = rows
        self.count = count
        self.everywhere = bits(True for _ in rows)
        self.compared = False
        self._by_rows: dict[int, Condition] = {}
        self._add((*_global(rows), *(_local(rows, count) if count else ())))

    def _add(self, conditions: Iterable[tuple[float, str]]) -> None:
        for cost, text in conditions:
            found = where(text, self.rows)
            if found not in (0, self.everywhere) and (found not in self._by_rows or cost < self._by_rows[found].cost):
                self._by_rows[found] = Condition(text, found, cost)
        self.simple = sorted(self._by_rows.values(), key=lambda condition: condition.cost)

    def know(self, text: str) -> None:
        """A condition that was found, and its contrary, are simple from now on."""
        self._add(((2.5, text), (2.6, f"not ({text})")))

    def separating(self, required: int, allowed: int) -> str | None:
        """The simplest condition that holds in all `required` rows and in none that are not `allowed`; empty where nothing need be said."""
        if required == 0 and allowed != self.everywhere:
            return "False"
        if allowed == self.everywhere:
            return ""
        forbidden = self.everywhere & ~allowed
        found = self._simplest(required, forbidden)
        if found is None and not self.compared:
            self.compared = True
            self._add((*_comparisons(self.rows), *(_local(self.rows, self.count, everything=True) if self.count else ())))
            found = self._simplest(required, forbidden)
        return found.text if found else None

    def _simplest(self, required: int, forbidden: int) -> Condition | None:
        found = self._one(required, forbidden) or self._two(required, forbidden) or self._three(required, forbidden)
        return found or self._four(required, forbidden)

    def _four(self, required: int, forbidden: int) -> Condition | None:
        """`a and (…)` with three conditions in the brackets."""
        for one in self._wide(required, forbidden)[:6]:
            inner = self._three(required, forbidden & one.rows)
            if inner is not None:
                return _and(one, inner)
        return None

    def outside(self, limits: Iterable[str]) -> int:
        """The rows in which a limit does not hold."""
        outside = 0
        for limit in limits:
            outside |= self.everywhere & ~self.rows_where(limit)
        return outside

    def limits(self, outside: int) -> Iterator[tuple[str, int]]:
        """Proportions of two sizes of layers that hold in the first row and in most others, with the rows outside of them."""
        numbers = [name for name in _numbers(_values(self.rows)) if _OF_LAYERS.search(name)]
        for a, b in permutations(numbers, 2):
            limit = f"{a} <= {b}"
            rows = outside | (self.everywhere & ~self.rows_where(limit))
            if holds(limit, *self.rows[0]) and rows != outside and rows.bit_count() < self.everywhere.bit_count() * 0.6:
                yield limit, rows

    def rows_where(self, text: str) -> int:
        """The rows in which a condition holds."""
        return where(text, self.rows)

    def _one(self, required: int, forbidden: int) -> Condition | None:
        fitting = [one for one in self.simple if not (required & ~one.rows) and not (one.rows & forbidden)]
        return min(fitting, key=lambda condition: condition.cost, default=None)

    def _wide(self, required: int, forbidden: int) -> list[Condition]:
        """Conditions that hold wherever one has to: the simplest, and those that hold in the fewest other rows."""
        fitting = [one for one in self.simple if not (required & ~one.rows)]
        return _some(fitting, lambda one: (one.rows & forbidden).bit_count())

    def _narrow(self, required: int, forbidden: int) -> list[Condition]:
        """Conditions that hold nowhere where none may: the simplest, and those that hold in the most required rows."""
        fitting = [one for one in self.simple if not (one.rows & forbidden) and one.rows & required]
        return _some(fitting, lambda one: -(one.rows & required).bit_count())

    def _two(self, required: int, forbidden: int) -> Condition | None:
        wide, narrow = self._wide(required, forbidden), self._narrow(required, forbidden)
        both = [_and(a, b) for a, b in combinations(wide, 2) if not (a.rows & b.rows & forbidden)]
        either = [_or(a, b) for a, b in combinations(narrow, 2) if not (required & ~(a.rows | b.rows))]
        return min([*both, *either], key=lambda condition: condition.cost, default=None)

    def _three(self, required: int, forbidden: int) -> Condition | None:
        wide, narrow = self._wide(required, forbidden), self._narrow(required, forbidden)
        found: list[Condition] = []
        for a, b, c in combinations(wide, 3):
            if not (a.rows & b.rows & c.rows & forbidden):
                found.append(_and(_and(a, b), c))
        for a, b, c in combinations(narrow, 3):
            if not (required & ~(a.rows | b.rows | c.rows)):
                found.append(_or(_or(a, b), c))
        found += self._mixed(required, forbidden, wide, narrow)
        return min(found, key=lambda condition: condition.cost, default=None)

    def _mixed(self, required: int, forbidden: int, wide: list[Condition], narrow: list[Condition]) -> Iterator[Condition]:
        """`(a and b) or c`, `(a or b) and c`."""
        for c in narrow[:30]:
            rest = required & ~c.rows
            covering = self._wide(rest, forbidden)
            yield from (_or(_and(a, b), c) for a, b in combinations(covering, 2) if not (a.rows & b.rows & forbidden))
        for c in wide[:30]:
            still = forbidden & c.rows
            inside = self._narrow(required, still)
            yield from (_and(_or(a, b), c) for a, b in combinations(inside, 2) if not (required & ~(a.rows | b.rows)))


def _some(conditions: list[Condition], better: Callable[[Condition], int]) -> list[Condition]:
    best = sorted(conditions, key=better)[: _MOST_ALTERNATIVES // 2]
    return list({one.rows: one for one in (*conditions[: _MOST_ALTERNATIVES // 2], *best)}.values())


def _and(a: Condition, b: Condition) -> Condition:
    return Condition(f"{_side(a, 'or')} and {_side(b, 'or')}", a.rows & b.rows, a.cost + b.cost + 1)


def _or(a: Condition, b: Condition) -> Condition:
    return Condition(f"{_side(a, 'and')} or {_side(b, 'and')}", a.rows | b.rows, a.cost + b.cost + 1)


def _side(condition: Condition, other: str) -> str:
    return f"({condition.text})" if f" {other} " in condition.text else condition.text


def _values(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """The different values of each field, of those that differ."""
    fields: dict[int, Fields] = {id(row[0]): row[0] for row in rows}
    names = dict.fromkeys(name for one in fields.values() for name in one)
    values: dict[str, list[Any]] = {}
    for name in names:
        different = {repr(one.get(name)): one.get(name) for one in fields.values()}
        if len(different) > 1 or any(isinstance(value, list | str) for value in different.values()):
            values[name] = list(different.values())
    return values


def _numbers(values: dict[str, list[Any]]) -> list[str]:
    return [name for name, found in values.items() if any(isinstance(value, int) and not isinstance(value, bool) for value in found)]


def _global(rows: Sequence[Row]) -> Iterator[tuple[float, str]]:
    values = _values(rows)
    for name, found in values.items():
        if any(isinstance(value, bool) for value in found):
            yield from ((1, name), (1, f"not {name}"))
        if any(value is None for value in found):
            yield from ((1, f"{name} is None"), (1, f"{name} is not None"))
        for word in sorted({value for value in found if isinstance(value, str)}):
            yield from ((1, f"{name} == {word!r}"), (1.1, f"{name} != {word!r}"))
        if any(isinstance(value, list) for value in found):
            yield from ((1.5, f"len({name}) > 0"), (1.5, f"len({name}) == 0"))
            words = sorted({word for value in found if isinstance(value, list) for word in value if isinstance(word, str)})
            yield from ((1.7, f"{word!r} in {name}") for word in words)
    numbers = _numbers(values)
    for name in numbers:
        for condition in (f"{name} > 0", f"{name} == 0", f"{name} > 1", f"{name} == 1"):
            yield 1.2 if "0" in condition else 1.6, condition
        yield from ((2.2, f"{name} == {constant}") for constant in range(2, 5))


def _comparisons(rows: Sequence[Row]) -> Iterator[tuple[float, str]]:
    """Two fields compared with each other: many, so they are tried last."""
    pairs = list(combinations(_numbers(_values(rows)), 2))
    if len(pairs) > _MOST_PAIRS:
        pairs = [(a, b) for a, b in pairs if set(a.split("_")) & set(b.split("_")) and a.rpartition(".")[0] == b.rpartition(".")[0]]
    for a, b in pairs[:_MOST_PAIRS]:
        yield from (
            (3, f"{a} == {b}"),
            (3, f"{a} != {b}"),
            (3.5, f"{a} < {b}"),
            (3.5, f"{a} > {b}"),
            (3.5, f"{a} <= {b}"),
            (3.5, f"{a} >= {b}"),
        )
        yield from ((4, f"{a} % {b} == 0"), (4, f"{a} % {b} != 0"), (4, f"{b} % {a} == 0"), (4, f"{b} % {a} != 0"))


def _local(rows: Sequence[Row], count: str, *, everything: bool = False) -> Iterator[tuple[float, str]]:
    """Conditions on the place of a layer."""
    values = _values(rows)
    yield from ((2, "i == 0"), (2, "i > 0"), (2.2, f"i == {count} - 1"), (2.2, f"i < {count} - 1"), (2.4, "i > 1"), (2.4, "i < 2"))
    yield from ((2.6, f"i {sign} {constant}") for constant in range(3, 7) for sign in ("<", ">="))
    numbers = [name for name in _numbers(values) if everything or _OF_LAYERS.search(name)]
    for name in numbers:
        yield from ((1.5, f"i < {name}"), (1.5, f"i >= {name}"), (2, f"i < {count} - {name}"), (2, f"i >= {count} - {name}"))
        yield from ((1.8, f"(i + 1) % {name} == 0"), (1.8, f"(i + 1) % {name} != 0"), (2.1, f"i % {name} == 0"), (2.1, f"i % {name} != 0"))
        yield from ((3, f"i == {name}"), (3, f"i != {name}"), (3, f"i > {name}"), (3, f"i <= {name}"), (3, f"i % {name} == {name} // 2"))
        related = [other for other in numbers if other != name and set(other.split("_")) & set(name.split("_"))]
        for other in related:
            yield from ((2.5, f"(i - {other}) % {name} == 0"), (2.5, f"(i - {other}) % {name} != 0"), (2.5, f"i % {name} == {other}"))
            yield from ((2.5, f"i % {name} != {other}"), (2.5, f"i < {name} - {other}"), (2.5, f"i >= {name} - {other}"))
            yield from ((2.6, f"(i - {other}) % {name} == 0 and i >= {other}"), (3, f"i < {name} + {other}"), (3, f"i >= {name} + {other}"))
    for constant in _CONSTANTS:
        for rest in range(constant):
            yield from ((2.6, f"i % {constant} == {rest}"), (2.6, f"i % {constant} != {rest}"))
    for name, found in values.items():
        yield from _of_list(name, [value for value in found if isinstance(value, list)])
        for letter in sorted(
            {
                letter
                for value in found
                if isinstance(value, str) and len(value) < 200
                for letter in value
                if not letter.isalnum() or letter.isupper()
            }
        ):
            yield from ((1.5, f"{name}[i] == {letter!r}"), (1.6, f"{name}[i] != {letter!r}"))


def _of_list(name: str, lists: list[list[Any]]) -> Iterator[tuple[float, str]]:
    elements = {repr(element): element for listed in lists for element in listed}.values()
    for word in sorted({element for element in elements if isinstance(element, str)}):
        yield from ((1.2, f"{name}[i] == {word!r}"), (1.3, f"{name}[i] != {word!r}"))
        yield from ((1.9, f"{name}[i % len({name})] == {word!r}"), (2, f"{name}[i % len({name})] != {word!r}"))
    if any(isinstance(element, bool) for element in elements):
        yield from ((1.2, f"{name}[i]"), (1.2, f"not {name}[i]"))
    if any(element is None for element in elements):
        yield from ((1.2, f"{name}[i] is None"), (1.2, f"{name}[i] is not None"))
    if any(isinstance(element, int) and not isinstance(element, bool) for element in elements):
        yield from ((1.2, f"i in {name}"), (1.2, f"i not in {name}"), (1.4, f"{name}[i] > 0"), (1.4, f"{name}[i] == 0"))
        yield from ((1.6, f"i + 1 in {name}"), (1.6, f"i + 1 not in {name}"), (2, f"i >= len({name})"), (2, f"i < len({name})"))
    if lists and not elements:
        yield from ((1.2, f"i in {name}"), (1.2, f"i not in {name}"))
