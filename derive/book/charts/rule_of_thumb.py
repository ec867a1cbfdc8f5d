"""The rule of thumb 12 L d² beside the exact count, over the width."""

from __future__ import annotations

from fractions import Fraction

from derive.book.chart import Axis, Chart, Lines, Number, Series
from derive.calculus.subject import subject
from derive.formula.parse import parse
from derive.text import Text

SIZES = {"L": 32, "V": 32_000, "c": 2}
WIDTHS = tuple(2**power * step // 2 for power in range(8, 15) for step in (2, 3))[:-1]
RULE = parse("12*L*d^2")


def chart() -> Chart:
    """Both counts, the band between them, and what the rule misses."""
    exact = subject("P_total", "d_kv=d, m=8*d/3").closed
    counted = tuple(Fraction(exact.evaluate({**SIZES, "d": d})) for d in WIDTHS)
    rule = tuple(Fraction(RULE.evaluate({**SIZES, "d": d})) for d in WIDTHS)
    missed = tuple(100 * (one - other) / one for one, other in zip(counted, rule, strict=True))
    width = Axis(Text("hidden size `d`", "隐藏维度 `d`"), "plain", 2)
    return Chart(
        Text("The rule of thumb and the exact count", "经验公式与精确计数"),
        Text(
            f"The rule `12*L*d^2` and the exact count for `L = {SIZES['L']}`, `V = {SIZES['V']}`, `c = {SIZES['c']}`, `d_kv = d` and "
            "`m = 8*d/3`. Hatched is what the rule leaves out; on the right, as a share of the exact count.",
            f"经验公式 `12*L*d^2` 与精确计数，取 `L = {SIZES['L']}`， `V = {SIZES['V']}`， `c = {SIZES['c']}`， `d_kv = d`， `m = 8*d/3`。"
            "带斜线处是经验公式略去的部分；右图是它占精确计数的比例。",
        ),
        (
            Lines(width, Axis(Text("parameters", "参数量"), "count", 10), _both(counted, rule), band=(0, 1)),
            Lines(
                width,
                Axis(Text("left out, of the exact count", "略去部分占精确计数的比例"), "percent"),
                (Series(Text("relative error", "相对误差"), WIDTHS, missed),),
                band=(0, None),
            ),
        ),
    )


def _both(counted: tuple[Number, ...], rule: tuple[Number, ...]) -> tuple[Series, ...]:
    return (Series(Text("exact count", "精确计数"), WIDTHS, counted), Series(Text("`12*L*d^2`", "`12*L*d^2`"), WIDTHS, rule))
