"""The key/value cache of one sequence against its context, for four kinds of attention in the same model."""

from __future__ import annotations

from fractions import Fraction

from derive.book.chart import Axis, Chart, Lines, Series, powers_of_two
from derive.calculus.subject import subject
from derive.counting import count
from derive.text import Text

MODEL, LATENT = "Llama-3-8B", "DeepSeek-V3"
CONTEXTS = powers_of_two(12, 20)
WINDOW = 4096
BYTES = 2


def chart() -> Chart:
    """The cache in bf16, by context."""
    return Chart(
        Text("The key/value cache against the context", "键值缓存随上下文的增长"),
        Text(
            f"The cache of one sequence in a model with the sizes of {MODEL}, at `b = {BYTES}` bytes an element. Latent attention has the "
            f"compressed sizes of {LATENT}; with windows, every other layer keeps only `w = {WINDOW}` tokens.",
            f"尺寸与 {MODEL} 相同的模型中，一个序列的缓存，每个元素 `b = {BYTES}` 字节。潜在注意力的压缩维度取自 {LATENT}；"
            f"带窗口时，每两层中有一层只保留 `w = {WINDOW}` 个词元。",
        ),
        (
            Lines(
                Axis(Text("context `n` [tokens]", "上下文长度 `n`（词元）"), "count", 2),
                Axis(Text("cache [GiB]", "缓存（GiB）"), "GiB", 2),
                kinds(),
            ),
        ),
    )


def kinds() -> tuple[Series, ...]:
    """The cache of each kind of attention [GiB]."""
    sizes, latent = count(MODEL).symbols, count(LATENT).symbols
    L = sizes["L"]
    shared = {"L": L, "h_kv": sizes["h_kv"], "d_h": sizes["d_h"], "L_F": L // 2, "L_S": L - L // 2, "w": WINDOW}
    forms = (
        (Text("multi-head", "多头（MHA）"), "N_kv*n", {**shared, "h_kv": sizes["h"]}),
        (Text("grouped-query", "分组查询（GQA）"), "N_kv*n", shared),
        (Text("grouped-query, half with a window", "分组查询，半数层带窗口"), "N_kv_window", shared),
        (Text("latent", "潜在（MLA）"), "N_kv_mla*n", {**shared, "r_kv": latent["r_kv"], "d_r": latent["d_r"]}),
    )
    return tuple(_series(label, form, given) for label, form, given in forms)


def _series(label: Text, form: str, sizes: dict[str, int]) -> Series:
    elements = subject(form).closed
    return Series(label, CONTEXTS, tuple(Fraction(BYTES * elements.evaluate({**sizes, "n": n}), 2**30) for n in CONTEXTS))
