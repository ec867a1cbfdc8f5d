"""Where attention overtakes the linear layers, by context."""

from __future__ import annotations

from fractions import Fraction

from derive.book.chart import Axis, Chart, Lines, Series, powers_of_two
from derive.costs import over, whole
from derive.costs.flops import linear_flops, pair_flops
from derive.reading import read_model
from derive.text import Text

MODELS = ("GPT-2 small", "LLaMA-7B", "Llama-2-70B", "GPT-3 175B")
CONTEXTS = powers_of_two(8, 18)


def chart() -> Chart:
    """The cost of attention over that of the linear layers."""
    return Chart(
        Text("Where attention overtakes the linear layers", "注意力何时超过线性层"),
        Text(
            "FLOPs of attention for one token at a context of `n`, as a multiple of those of the linear layers. Where a line crosses one, "
            "attention has overtaken them; among these four dense models, the wider, the later.",
            "上下文长度为 `n` 时，一个词元的注意力浮点运算是线性层的几倍。"
            "线越过一，注意力便超过了线性层；图中四个稠密模型里，越宽的越晚超过。",
        ),
        (
            Lines(
                Axis(Text("context `n` [tokens]", "上下文长度 `n`（词元）"), "count", 2),
                Axis(Text("attention / linear layers", "注意力与线性层之比"), "plain", 10),
                tuple(Series(Text(model, model), CONTEXTS, ratios(model)) for model in MODELS),
                level=1,
            ),
        ),
    )


def ratios(model: str) -> tuple[Fraction, ...]:
    """Attention over linear layers, for one token at each context."""
    numbers = read_model(model).numbers
    linear, pair = whole(over(numbers, linear_flops)), whole(over(numbers, pair_flops))
    return tuple(Fraction(n * pair, linear) for n in CONTEXTS)
