"""Which share of its parameters each component of a real model holds."""

from __future__ import annotations

from fractions import Fraction

from derive.book.chart import Axis, Bars, Chart, Series
from derive.counting import Count, count
from derive.text import Text

MODELS = ("GPT-2 small", "GPT-3 175B", "LLaMA-7B", "Llama-3-8B", "Mixtral-8x7B", "DeepSeek-V3")
KINDS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (Text("attention", "注意力"), ("attention", "latent attention")),
    (Text("dense feed-forward", "稠密前馈网络"), ("feed-forward",)),
    (Text("experts and router", "专家与路由器"), ("routed experts", "shared experts", "router")),
    (Text("embeddings, positions and head", "词嵌入、位置表与输出头"), ("token embedding", "learned positions", "output head")),
    (Text("norms", "归一化"), ("norms", "final norm")),
)


def chart() -> Chart:
    """Shares of the exact counts."""
    counts = [count(model) for model in MODELS]
    series = tuple(Series(label, (), tuple(share(each, names) for each in counts)) for label, names in KINDS)
    return Chart(
        Text("Shares of the components", "各部件的参数占比"),
        Text(
            "Shares of the components in the exact counts. The narrow model spends much on its vocabulary, the wide ones on "
            "feed-forward networks or experts; norms are too few to be seen.",
            "各部件在精确计数中的占比。窄的模型在词表上花费多，宽的模型主要花在前馈网络或专家上；归一化的参数太少，图上看不出来。",
        ),
        (Bars(Axis(Text("share of all parameters", "占全部参数的比例"), "percent"), MODELS, series),),
    )


def share(counted: Count, names: tuple[str, ...]) -> Fraction:
    """The share of the components of these names, in percent."""
    return Fraction(100 * sum(part.parameters for part in counted.components if part.name in names), counted.total)
