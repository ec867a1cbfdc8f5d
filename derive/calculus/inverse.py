"""The inverse question: which size fits. An equation in one unknown, solved exactly, and the whole sizes beside the root."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from derive.algebra.normal import Normal, difference
from derive.calculus.answer import shown
from derive.calculus.closed_roots import closed_roots, posed
from derive.calculus.roots import Root, in_one_symbol, real_roots
from derive.calculus.subject import Subject, subject
from derive.conditions import RELATIONS, Sizes, check_together, possible
from derive.derivation import Derivation
from derive.errors import FormulaError
from derive.formula.numbers import decimal
from derive.formula.tree import Formula, Number
from derive.quantities import DEFAULT_VARIANT, Variant
from derive.text import Text

USUAL_MULTIPLES = {"d": 128, "m": 256}
"""What the sizes of real models are multiples of, where nothing else is said."""
AT_MOST_N = Text("the closed forms with a window take w ≤ n", "含窗口的闭式要求 w ≤ n")
WHOLE = Text("whole", "整数")
_BYTES = re.compile(r"\s*([\d.,]+(?:[eE]\d+)?)\s*(k|K|M|G|T)(i?)B\s*")
_LARGE = re.compile(r"\s*([\d.,]+)(K|M|B|T)\s*")
_POWERS = {"K": 1, "M": 2, "G": 3, "B": 3, "T": 4}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A whole size beside a root, and what both sides come to with it.

    `tied` are the sizes that a condition ties to it: rounded up to a whole number beside a merely whole size, to their usual
    multiple beside a realisable one, which is a multiple itself.
    """

    size: int
    kind: Text
    tied: tuple[tuple[str, int], ...]
    left: Fraction
    right: Fraction


@dataclass(frozen=True, slots=True)
class Solution:
    """What solves an equation for one symbol.

    `closed` derives its roots as formulas where a closed form exists (degree 1 and 2), and then `posed` is the equation with closed
    forms put in; `roots` are the positive real ones;
    `candidates` the whole sizes and the realisable ones beside them.
    """

    equation: tuple[Formula, Formula]
    symbol: str
    closed: tuple[Derivation, ...]
    roots: tuple[Root, ...]
    candidates: tuple[Candidate, ...]
    remarks: tuple[Text, ...]
    posed: tuple[Derivation, ...] = ()


def solve(
    equation: str, symbol: str, given: str | None = None, multiple: int | None = None, variant: Variant = DEFAULT_VARIANT
) -> Solution:
    """Solve `P_total = 7e9` for a symbol, under conditions that give every other one.

    With other symbols left open, only the closed form is given. Raises `FormulaError` for what cannot be read or does not
    occur, `UndecidedError` beyond the bounds.
    """
    left, right = _sides(equation, given, variant)
    if symbol in left.conditions:
        raise FormulaError(f"{symbol} is given already; leave it out of the conditions to solve for it", equation)
    (left if symbol in left.closed.names else right).require((symbol,), "an equation for")
    sides = (left.asked, right.asked)
    check_together(left.conditions, Sizes({}), given or equation)
    for whole, relation in RELATIONS:
        related = {whole, *relation.names}
        if symbol in related and related - {symbol} <= {each for each, value in left.conditions.items() if not value.names}:
            raise FormulaError(f"{symbol} follows from {whole} = {relation.text} already; leave one of them out", equation)
    form = difference(left.closed, right.closed)
    if not form.numerator:
        every = Text(f"every {symbol} solves it", f"任何 {symbol} 都满足")
        return Solution(sides, symbol, (), (), (), (every,))
    closed = closed_roots(form, symbol, left.closed, right.closed)
    asked = posed(form, symbol, left.closed, right.closed) if closed else ()
    others = _open(form, symbol)
    if others:
        names = ", ".join(others)
        without = Text("", "") if closed else Text(", and no closed form of this degree", "，且此次数没有闭式解")
        remark = Text(f"no number given for {names}, so no number follows", f"未给出 {names} 的数值，故无数值解") + without
        return Solution(sides, symbol, closed, (), (), (remark,), asked)
    found, remarks = _positive(form, symbol)
    step = multiple or _usual_multiple(symbol, left.conditions)
    near = (root for root in found if root.high >= 1)
    candidates = tuple(each for root in near for each in _beside(left, right, symbol, root, step))
    candidates = tuple(sorted(dict.fromkeys(candidates), key=lambda each: (each.kind != WHOLE, each.size)))
    occurring = {symbol, *left.general.names, *right.general.names}
    sizes = {name: value.evaluate({}) for name, value in left.conditions.items() if not value.names}
    kept = tuple(each for each in candidates if possible({**sizes, symbol: each.size}, occurring))
    remarks += _about(found, kept, candidates, symbol, left, right)
    return Solution(sides, symbol, closed, found, kept, remarks, asked)


def _sides(equation: str, given: str | None, variant: Variant) -> tuple[Subject, Subject]:
    """Both sides; one may be a number in large units, as in 16 GiB or 7B."""
    sides = equation.split("=")
    if len(sides) != 2:
        raise FormulaError("an equation has one '='", equation)
    left, right = (subject(_in_full(side), given, variant) for side in sides)
    return left, right


def _in_full(text: str) -> str:
    """`16 GiB` as `16*2^30`, `80 GB` as `80*10^9`, `7B` as `7*10^9`; anything else as it is."""
    large = _LARGE.fullmatch(text)
    if large is not None:
        return f"{large[1]}*10^{3 * _POWERS[large[2]]}"
    found = _BYTES.fullmatch(text)
    if found is None:
        return text
    number, prefix, binary = found.groups()
    power = _POWERS[prefix.upper()]
    return f"{number}*2^{10 * power}" if binary else f"{number}*10^{3 * power}"


def _open(form: Normal, symbol: str) -> list[str]:
    """The other symbols that still occur in an equation."""
    others = (name for name in form.ring.names if name != symbol)
    return [name for name in others if any(form.ring.degree(monomial, name) for monomial in form.numerator)]


def _positive(form: Normal, symbol: str) -> tuple[tuple[Root, ...], tuple[Text, ...]]:
    """The positive roots of the numerator at which nothing is divided by zero."""
    ring, above = in_one_symbol(form, form.numerator, symbol)
    _, below = in_one_symbol(form, form.denominator, symbol)
    poles = real_roots(ring, below)
    found = [root for root in real_roots(ring, above) if root.high > 0]
    kept = tuple(root for root in found if not any(root.low <= pole.high and pole.low <= root.high for pole in poles))
    excluded = (
        Text(f"{symbol} = {_shown(root)} divides by zero", f"{symbol} = {_shown(root)} 使分母为零") for root in found if root not in kept
    )
    return kept, tuple(excluded)


def _usual_multiple(symbol: str, conditions: Mapping[str, Formula]) -> int:
    """A width is a multiple of the head size where that is given, of the number of heads where that is."""
    for name in ("d_h", "h") if symbol == "d" else ():
        value = conditions.get(name)
        if isinstance(value, Number):
            return int(value.value)
    return USUAL_MULTIPLES.get(symbol, 1)


def _beside(left: Subject, right: Subject, symbol: str, root: Root, step: int) -> list[Candidate]:
    """The whole sizes just below and above a root, and the multiples of `step` between which the equation is met."""

    def at(size: int, kind: Text) -> Candidate:
        return _candidate(left, right, symbol, size, kind)

    whole = [at(size, WHOLE) for size in dict.fromkeys((floor(root.low), ceil(root.high))) if size >= 1]
    if step == 1 or root.high < Fraction(step, 2):  # nothing realisable is near
        return whole
    kind = Text(f"multiple of {step}", f"{step} 的倍数")
    below, above = floor(root.low / step) * step, ceil(root.high / step) * step
    sizes = [at(size, kind) for size in dict.fromkeys((below, above)) if size >= 1]
    for size in range(below - step, max(below - 5 * step, 0), -step):  # rounding a tied size up may take both beyond the root
        if len({each.left > each.right for each in sizes}) > 1 or any(each.left == each.right for each in sizes):
            break
        sizes.append(at(size, kind))
    return whole + sizes


def _candidate(left: Subject, right: Subject, symbol: str, size: int, kind: Text) -> Candidate:
    """Both sides with a whole size, and with whole sizes for all that the conditions tie to it."""
    sizes: dict[str, int | Fraction] = {symbol: size}
    tied = []
    for name, value in left.conditions.items():
        worked = Fraction(value.evaluate({symbol: size}))
        if symbol not in value.names:
            sizes[name] = worked
            continue
        step = 1 if kind == WHOLE else USUAL_MULTIPLES.get(name, 1)
        sizes[name] = made_whole = ceil(worked / step) * step
        tied.append((name, made_whole))
    return Candidate(size, kind, tuple(tied), Fraction(left.general.evaluate(sizes)), Fraction(right.general.evaluate(sizes)))


def _about(
    roots: tuple[Root, ...], kept: tuple[Candidate, ...], candidates: tuple[Candidate, ...], symbol: str, left: Subject, right: Subject
) -> tuple[Text, ...]:
    """What a reader has to know of the roots: none, several, none whole, below 1, impossible; and the largest size that fits."""
    if not roots:
        return (Text(f"no positive {symbol} solves it", f"没有正的 {symbol} 满足方程"),)
    remarks = [
        Text(f"{symbol} = {_shown(root)}, {root.multiplicity} times over", f"{symbol} = {_shown(root)}，{root.multiplicity} 重根")
        for root in roots
        if root.multiplicity > 1
    ]
    if len(roots) > 1:
        remarks.append(Text(f"{len(roots)} positive solutions", f"{len(roots)} 个正解"))
    if all(root.high < 1 for root in roots):
        return (
            *remarks,
            Text(f"it is met below {symbol} = 1, so no whole {symbol} is small enough", f"解小于 1，没有足够小的整数 {symbol}"),
        )
    if not any(root.exact and root.low.denominator == 1 for root in roots):
        remarks.append(Text(f"no whole {symbol} solves it exactly", f"没有整数 {symbol} 恰好满足方程"))
    if len(kept) < len(candidates):
        bounds = {"c": Text("c is 1 or 2", "c 为 1 或 2"), "w": AT_MOST_N, "n": AT_MOST_N}
        why = bounds.get(symbol, Text("k is at most E", "k 不超过 E"))
        remarks.append(Text(f"a {symbol} beside the solution cannot be: ", f"解旁的某个 {symbol} 不可能：") + why)
    simple = len(roots) == 1 and roots[0].multiplicity == 1
    return (*remarks, *(_largest_within(kept, symbol, left, right) if simple else ()))


def _largest_within(candidates: tuple[Candidate, ...], symbol: str, left: Subject, right: Subject) -> tuple[Text, ...]:
    """The largest size of each kind that stays within a budget, where the one side is a number and the other grows."""
    if right.closed.names or not candidates or candidates[0].right <= 0:
        return ()
    beyond = max(each.size for each in candidates) + 1
    if Fraction(left.closed.evaluate({symbol: beyond})) <= candidates[0].right:
        return ()
    within: dict[Text, int] = {}
    for each in candidates:
        if each.left <= each.right:
            within[each.kind] = max(each.size, within.get(each.kind, 0))
    asked = right.asked.text
    budget = asked if len(asked) < 30 else shown(candidates[0].right, "en", str)
    return tuple(
        Text(f"largest {symbol} within {budget}: {size} ({kind.en})", f"不超过 {budget} 的最大 {symbol}：{size}（{kind.zh}）")
        for kind, size in ((kind, shown(size, "en", str)) for kind, size in within.items())
    )


def _shown(root: Root) -> str:
    return str(root.low) if root.exact else decimal(root.low, 10)
