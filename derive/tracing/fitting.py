"""Which expression in the fields gives the numbers that were seen: for lengths whose origin an implementation does not show."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from derive.atlas.expression import ExpressionError, value
from derive.tracing.deciding import Row

_MOST_FIELDS = 40


def fits(text: str, rows: Sequence[Row], wanted: Sequence[Any]) -> bool:
    """Whether an expression has the wanted value in every row."""
    return all(found == one for found, one in zip(_values(text, rows), wanted, strict=True))


def values(text: str, rows: Sequence[Row]) -> list[Any]:
    """The values of an expression; None where it has none."""
    return list(_values(text, rows))


def _values(text: str, rows: Sequence[Row]) -> Iterator[Any]:
    for fields, places in rows:
        try:
            yield value(text, fields, places)
        except ExpressionError:
            yield None


def simplest(candidates: Iterable[str], rows: Sequence[Row], wanted: Sequence[Any]) -> str | None:
    """The shortest candidate that fits, written plainly."""
    for text in sorted({plainly(candidate) for candidate in candidates}, key=lambda text: (len(text), text)):
        if fits(text, rows, wanted):
            return text
    return None


@lru_cache(maxsize=4096)
def plainly(text: str) -> str:
    """An expression without needless parentheses; factors and terms that are numbers are gathered."""
    return ast.unparse(_gathered(ast.parse(text, mode="eval")))


def _gathered(tree: Any) -> Any:
    return _Gathering().visit(tree)


class _Gathering(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        left, right = node.left, node.right
        numbers = [side.value for side in (left, right) if isinstance(side, ast.Constant) and isinstance(side.value, int | float)]
        if len(numbers) == 2 and isinstance(node.op, ast.Mult | ast.Add):
            return ast.Constant(numbers[0] * numbers[1] if isinstance(node.op, ast.Mult) else numbers[0] + numbers[1])
        one = next((side for side in (left, right) if isinstance(side, ast.Constant) and side.value == 1), None)
        if one is not None and isinstance(node.op, ast.Mult):
            return right if one is left else left
        if isinstance(right, ast.Constant) and right.value == 1 and isinstance(node.op, ast.FloorDiv):
            return left
        if isinstance(right, ast.Constant) and right.value == 0 and isinstance(node.op, ast.Add | ast.Sub):
            return left
        if isinstance(left, ast.Constant) and left.value == 0 and isinstance(node.op, ast.Add):
            return right
        if isinstance(right, ast.Constant) and isinstance(node.op, ast.Mult) and not isinstance(left, ast.Constant):
            return ast.BinOp(right, node.op, left)
        return node


def fitted(rows: Sequence[Row], wanted: Sequence[int]) -> str | None:
    """The simplest expression found that gives the wanted whole numbers: constants, fields, and products, quotients and sums of a few."""
    if not rows or any(isinstance(one, bool) or not isinstance(one, int) for one in wanted):
        return None
    if len(set(wanted)) == 1:
        return str(wanted[0])
    target = tuple(wanted)
    simple = dict(_fields(rows))
    for level in (simple, _scaled(simple), _pairs(simple), _lists(rows), _sums(simple, rows)):
        found = level.get(target)
        if found is not None:
            return found
    return None


def common(rows: Sequence[Row], wanted: Sequence[Any], least: float = 0.03) -> list[str]:
    """Fields and numbers that are right in many rows, those that are right most often first."""
    texts = {text: numbers for numbers, text in _fields(rows)} | {repr(one): (one,) * len(rows) for one in wanted if isinstance(one, int)}
    right = {text: sum(a == b for a, b in zip(numbers, wanted, strict=True)) for text, numbers in texts.items()}
    return sorted((text for text, often in right.items() if often >= least * len(rows)), key=lambda text: -right[text])[:10]


def _fields(rows: Sequence[Row]) -> Iterator[tuple[tuple[int, ...], str]]:
    """The fields, and elements of lists, that are numbers in every row, with their values."""
    names = dict.fromkeys(name for fields, _ in rows for name in fields)
    places = bool(rows[0][1])
    for name in reversed(list(names)):
        for text in (name, f"{name}[i]") if places else (name,):
            found = values(text, rows)
            if all(isinstance(one, int) and not isinstance(one, bool) for one in found):
                yield tuple(found), text


def _scaled(simple: dict[tuple[int, ...], str]) -> dict[tuple[int, ...], str]:
    found: dict[tuple[int, ...], str] = {}
    for numbers, text in simple.items():
        for constant in range(1, 9):
            found.setdefault(tuple(number * constant for number in numbers), f"{constant} * {text}")
            found.setdefault(tuple(number + constant for number in numbers), f"{text} + {constant}")
            found.setdefault(tuple(number - constant for number in numbers), f"{text} - {constant}")
            found.setdefault(tuple(number // constant for number in numbers), f"{text} // {constant}")
            found.setdefault(tuple(-(-number // constant) for number in numbers), f"ceil({text} / {constant})")
        found.setdefault(tuple(-(-number // 16) for number in numbers), f"ceil({text} / 16)")
        for constant in (64, 128, 256):
            found.setdefault(tuple(-(-number // constant) * constant for number in numbers), f"{constant} * ceil({text} / {constant})")
    return found


def _pairs(simple: dict[tuple[int, ...], str]) -> dict[tuple[int, ...], str]:
    found: dict[tuple[int, ...], str] = {}
    for (a, one), (b, other) in combinations(list(simple.items())[:_MOST_FIELDS], 2):
        found.setdefault(tuple(x * y for x, y in zip(a, b, strict=True)), f"{one} * {other}")
        found.setdefault(tuple(x + y for x, y in zip(a, b, strict=True)), f"{one} + {other}")
        for first, second, p, q in ((a, b, one, other), (b, a, other, one)):
            found.setdefault(tuple(x - y for x, y in zip(first, second, strict=True)), f"{p} - {q}")
            found.setdefault(tuple(max(x - y, 0) for x, y in zip(first, second, strict=True)), f"max({p} - {q}, 0)")
            if all(second):
                found.setdefault(tuple(x // y for x, y in zip(first, second, strict=True)), f"{p} // {q}")
                found.setdefault(tuple(-(-x // y) for x, y in zip(first, second, strict=True)), f"ceil({p} / {q})")
        found.setdefault(tuple(min(x, y) for x, y in zip(a, b, strict=True)), f"min({one}, {other})")
        found.setdefault(tuple(max(x, y) for x, y in zip(a, b, strict=True)), f"max({one}, {other})")
    return found


def _lists(rows: Sequence[Row]) -> dict[tuple[int, ...], str]:
    found: dict[tuple[int, ...], str] = {}
    for name in dict.fromkeys(name for fields, _ in rows for name, one in fields.items() if isinstance(one, list | str)):
        lengths = values(f"len({name})", rows)
        if None not in lengths:
            found.setdefault(tuple(lengths), f"len({name})")
    return found


def _sums(simple: dict[tuple[int, ...], str], rows: Sequence[Row]) -> dict[tuple[int, ...], str]:
    """Products of up to two fields, twice or once, in pairs."""
    products = dict(simple)
    for (a, one), (b, other) in combinations(list(simple.items())[:_MOST_FIELDS], 2):
        products.setdefault(tuple(x * y for x, y in zip(a, b, strict=True)), f"{one} * {other}")
    for numbers, text in list(products.items()):
        products.setdefault(tuple(2 * number for number in numbers), f"2 * {text}")
    return _Sums(products)


class _Sums(dict[tuple[int, ...], str]):
    """Sums of two terms, looked up by what is missing to the first."""

    def __init__(self, terms: dict[tuple[int, ...], str]) -> None:
        super().__init__()
        self.terms = terms

    def get(self, target: Any, default: Any = None) -> Any:
        for numbers, text in self.terms.items():
            rest = self.terms.get(tuple(x - y for x, y in zip(target, numbers, strict=True)))
            if rest is not None:
                return f"{text} + {rest}"
        return default
