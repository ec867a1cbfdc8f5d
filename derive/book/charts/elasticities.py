"""By how many percent the whole grows when one size grows by one percent, over the width."""

from __future__ import annotations

from derive.book.chart import Axis, Chart, Lines, Number, Series, powers_of_two
from derive.calculus.rates import elasticity, tied_elasticity
from derive.calculus.subject import subject
from derive.formula.parse import parse_equations
from derive.formula.tree import Formula
from derive.text import Text

SIZES = {"L": 32, "V": 32_000, "c": 2}
WIDTHS = powers_of_two(8, 14)
TIES = "m=8*d/3, d_kv=d"
ALONE = (
    ("L", Text("depth `L`", "层数 `L`")),
    ("d", Text("width `d`, `m` and `d_kv` fixed", "宽度 `d`，`m` 与 `d_kv` 不变")),
    ("m", Text("intermediate size `m`", "中间维度 `m`")),
    ("V", Text("vocabulary `V`", "词表 `V`")),
)


def chart() -> Chart:
    """The elasticities of the dense total."""
    dense, ties = subject("P_total"), dict(parse_equations(TIES))
    together = Series(
        Text("width `d` with `m` and `d_kv`", "宽度 `d`，`m` 与 `d_kv` 随之变"), WIDTHS, _over(tied_elasticity(dense, "d", ties))
    )
    alone = (Series(label, WIDTHS, _over(elasticity(dense, name).result.substitute(ties))) for name, label in ALONE)
    return Chart(
        Text("Elasticities of the total", "总参数量的弹性"),
        Text(
            f"By how many percent the dense total grows with one percent more of a size, for `L = {SIZES['L']}`, `V = {SIZES['V']}`, "
            f"`c = {SIZES['c']}`. With all widths growing together the elasticity tends to two; that of the vocabulary vanishes.",
            f"某个尺寸增大百分之一时，稠密模型总参数量增大百分之几，取 `L = {SIZES['L']}`， `V = {SIZES['V']}`， `c = {SIZES['c']}`。"
            "各宽度一同增大时，弹性趋于二；词表的弹性趋于零。",
        ),
        (
            Lines(
                Axis(Text("hidden size `d`", "隐藏维度 `d`"), "plain", 2),
                Axis(Text("elasticity of `P_total`", "`P_total` 的弹性")),
                (together, *alone),
            ),
        ),
    )


def _over(formula: Formula) -> tuple[Number, ...]:
    """The formula's values over the widths, the other sizes as the ties say."""
    return tuple(formula.substitute(dict(parse_equations(TIES))).evaluate({**SIZES, "d": d}) for d in WIDTHS)
