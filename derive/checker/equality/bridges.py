"""The assumptions that make two letters of a document one: `m = 4d`, `h d_h = d`, `d_kv = d`, `S = T`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from derive.formula.tree import Formula, Name, Number, Product, Quotient
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Bridge:
    """An assumption as it is said, and what it puts in for a letter."""

    said: str
    name: str
    value: Formula


_Makers = tuple[tuple[str, tuple[str, ...], Callable[..., Formula]], ...]

# The meaning that is replaced, the meanings that it is replaced by, and how.
_MAKERS: _Makers = (
    ("d_kv", ("d",), lambda d: d),
    ("d_q", ("d",), lambda d: d),
    ("h_kv", ("h",), lambda h: h),
    ("m", ("d",), lambda d: Product((Number(4), d))),
    ("d", ("h", "d_h"), lambda h, size: Product((h, size))),
    ("d_h", ("d", "h"), lambda d, h: Quotient(d, h)),
    ("d_q", ("h", "d_h"), lambda h, size: Product((h, size))),
    ("d_kv", ("h_kv", "d_h"), lambda h, size: Product((h, size))),
    ("d_kv", ("d", "h_kv", "h"), lambda d, kv, h: Quotient(Product((d, kv)), h)),
    ("m", ("d",), lambda d: Quotient(Product((Number(8), d)), Number(3))),
    ("m", ("d",), lambda d: Product((Number(2), d))),
    ("m", ("d",), lambda d: Product((Number(8), d))),
    ("g", ("h", "h_kv"), lambda h, kv: Quotient(h, kv)),
    ("h", ("g", "h_kv"), lambda g, kv: Product((g, kv))),
    ("m_e", ("m",), lambda m: m),
    ("h_kv", (), lambda: Number(1)),
    ("n_ctx", ("n",), lambda n: n),
    ("expansion", ("m", "d"), lambda m, d: Quotient(m, d)),
)
MOST_AT_ONCE = 3


def bridges(meanings: Mapping[str, str]) -> tuple[Bridge, ...]:
    """Every assumption between letters whose meaning is known, the usual ones first."""
    found: list[Bridge] = []
    letters: dict[str, list[str]] = {}
    for letter, meaning in meanings.items():
        letters.setdefault(meaning, []).append(letter)
    for same in letters.values():
        found += [Bridge(f"{other} = {same[0]}", other, Name(same[0])) for other in same[1:]]
    for meaning, needed, make in _MAKERS:
        for letter in letters.get(meaning, ()):
            if all(need in letters for need in needed):
                value = make(*(Name(letters[need][0]) for need in needed))
                found.append(Bridge(f"{letter} = {value.text}", letter, value))
    return tuple(found)


def sets_of(found: tuple[Bridge, ...]) -> Iterator[tuple[Bridge, ...]]:
    """Sets of assumptions, the smallest first, none replacing a letter twice."""
    for size in range(1, MOST_AT_ONCE + 1):
        for chosen in combinations(found[:14], size):
            names = {bridge.name for bridge in chosen}
            if len(names) == size:
                yield chosen


def assuming(formula: Formula, chosen: tuple[Bridge, ...]) -> Formula:
    """The formula under the assumptions, put in one after the other until none of their letters is left."""
    for _ in range(len(chosen)):
        formula = formula.substitute({bridge.name: bridge.value for bridge in chosen})
    return formula
