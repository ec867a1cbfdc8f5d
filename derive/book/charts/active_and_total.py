"""Stored and active parameters of a mixture of experts, against the number of experts and the number chosen."""

from __future__ import annotations

from derive.book.chart import Axis, Chart, Lines, Number, Series
from derive.calculus.subject import subject
from derive.counting import count
from derive.text import Text

MODEL = "Mixtral-8x7B"
EXPERTS = tuple(range(2, 33, 2))
CHOSEN = tuple(range(1, 9))


def chart() -> Chart:
    """Total and active over E at the model's k, and over k at the model's E."""
    sizes = count(MODEL).symbols
    parameters = Axis(Text("parameters", "参数量"), "count")
    return Chart(
        Text("Active and total parameters", "激活参数与总参数"),
        Text(
            f"A model with the sizes of {MODEL}. Left, more experts at `k = {sizes['k']}`: what is stored grows, what a token uses hardly "
            f"does. Right, more of the `E = {sizes['E']}` experts chosen: what a token uses grows, what is stored does not.",
            f"尺寸与 {MODEL} 相同的模型。左图中 `k = {sizes['k']}`，增加专家时存储的参数增加，一个词元用到的几乎不变。"
            f"右图从 `E = {sizes['E']}` 个专家中选更多个时，一个词元用到的参数增加，存储的不变。",
        ),
        (
            Lines(Axis(Text("experts `E`", "专家数 `E`")), parameters, _over("E", EXPERTS, dict(sizes))),
            Lines(Axis(Text("experts chosen `k`", "选中的专家数 `k`")), parameters, _over("k", CHOSEN, dict(sizes))),
        ),
    )


def _over(name: str, steps: tuple[int, ...], sizes: dict[str, int]) -> tuple[Series, ...]:
    def values(quantity: str) -> tuple[Number, ...]:
        closed = subject(quantity).closed
        return tuple(closed.evaluate({**sizes, name: step}) for step in steps)

    total, active = Text("total (stored)", "总参数（存储）"), Text("active", "激活参数")
    return (Series(total, steps, values("P_total_MoE")), Series(active, steps, values("P_active")))
