"""Charts drawn by matplotlib as SVG and PDF: the same bytes every time, readable in black and white, labelled in one language."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from derive.book.chart import Axis, Bars, Chart, Lines, Number
from derive.book.voice import closed_up, in_units, short
from derive.book.writing import LATEX, with_formulas
from derive.errors import ChapterError
from derive.formula.numbers import decimal
from derive.text import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHINESE = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Microsoft YaHei",
)
"""Fonts with Chinese letters, the first that is there."""
COLOURS = ("#0b4f8a", "#c1520a", "#1f7a4d", "#7a3b8f", "#555555", "#8a6d00")
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (7, 2, 1.5, 2)), (0, (3, 1.5)), (0, (9, 2, 1.5, 2, 1.5, 2)))
MARKERS = ("o", "s", "^", "D", "v", "x")
HATCHES = ("", "//", "..", "\\\\", "xx", "++")
SHADES = ("#0b4f8a", "#f0a877", "#8fcaa9", "#c9b1d6", "#dddddd", "#e8d68a")
MOST_TICKS = 8
"""On an axis whose steps multiply, of a picture with one panel."""
_FAMILIES = re.compile(r"""(font(?:-family)?: [^';"]*)('[^;"]*)""")
WIDTH, HEIGHT = 6.4, 3.4
"""Of a picture [inches]."""


def drawn(chart: Chart, language: str) -> dict[str, bytes]:
    """The picture by format, `svg` and `pdf`; `ChapterError` where matplotlib or a Chinese font is missing."""
    matplotlib = _matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_style(language)):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        for axes, panel in zip(_panels(figure, len(chart.panels)), chart.panels, strict=True):
            if isinstance(panel, Bars):
                _bars(axes, panel, language)
            else:
                _lines(axes, panel, language)
        _legend(figure, chart)
        return {form: _saved(figure, form, chart.title.in_(language)) for form in ("svg", "pdf")}


def drawn_with(language: str) -> tuple[str, ...]:
    """What a picture depends on besides its numbers: the version of matplotlib, and the fonts."""
    return (_matplotlib().__version__, *_fonts(language))


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise ChapterError("figures need matplotlib, which is not installed: pip install 'derive[book]'") from None
    return matplotlib


def _fonts(language: str) -> list[str]:
    return ["DejaVu Sans"] if language == "en" else [_chinese_font(), "DejaVu Sans"]


def _style(language: str) -> dict[str, Any]:
    """The settings that a picture depends on; the user's own do not count."""
    return {
        "font.family": _fonts(language), "font.size": 9, "axes.titlesize": 9, "mathtext.fontset": "dejavusans", "svg.fonttype": "none",
        "svg.hashsalt": "derive", "pdf.fonttype": 3, "hatch.linewidth": 0.6, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.color": "#d0d0d0", "grid.linewidth": 0.5, "axes.axisbelow": True, "legend.frameon": False,
    }  # fmt: skip


def _chinese_font() -> str:
    from matplotlib.font_manager import fontManager

    there = {font.name for font in fontManager.ttflist}
    found = next((name for name in CHINESE if name in there), None)
    if found is None:
        raise ChapterError("Chinese figures need a font with Chinese letters: install one (Debian: apt-get install fonts-noto-cjk)")
    return found


def _panels(figure: Figure, count: int) -> Sequence[Axes]:
    return figure.subplots(1, count, squeeze=False)[0].tolist()  # type: ignore[no-any-return]


def _lines(axes: Axes, panel: Lines, language: str) -> None:
    for at, series in enumerate(panel.series):
        axes.plot(
            _floats(series.x), _floats(series.y), label=_words(series.label, language), color=COLOURS[at], linestyle=DASHES[at],
            marker=MARKERS[at], markersize=3.5, linewidth=1.4,
        )  # fmt: skip
    if panel.band:
        upper, lower = (_floats(panel.series[at].y) if at is not None else 0 for at in panel.band)
        axes.fill_between(_floats(panel.series[0].x), lower, upper, facecolor="#e8e8e8", edgecolor="#aaaaaa", hatch="//", linewidth=0)
    if panel.level is not None:
        axes.axhline(float(panel.level), color="black", linewidth=0.8)
    _axis(axes, "x", panel.x, language, [x for series in panel.series for x in series.x])
    _axis(axes, "y", panel.y, language, [y for series in panel.series for y in series.y])
    if not panel.y.base:
        axes.set_ylim(bottom=0)


def _bars(axes: Axes, panel: Bars, language: str) -> None:
    ends = [0.0] * len(panel.names)
    for at, series in enumerate(panel.series):
        lengths = _floats(series.y)
        axes.barh(
            panel.names, lengths, left=ends, label=_words(series.label, language), color=SHADES[at], hatch=HATCHES[at],
            edgecolor="black", linewidth=0.6, height=0.65,
        )  # fmt: skip
        ends = [end + length for end, length in zip(ends, lengths, strict=True)]
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0, 100)
    _axis(axes, "x", panel.x, language, ())


def _axis(axes: Axes, which: str, axis: Axis, language: str, values: Sequence[Number]) -> None:
    """Label, scale and numbers of one axis, which shows these values."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    getattr(axes, f"set_{which}label")(_words(axis.label, language))
    of = getattr(axes, f"{which}axis")
    if axis.base:
        getattr(axes, f"set_{which}scale")("log", base=axis.base)
        of.set_major_locator(FixedLocator(_powers(values, axis.base, MOST_TICKS // len(axes.figure.axes))))
        of.set_minor_locator(NullLocator())
    write = _numbers(axis, language)
    of.set_major_formatter(FuncFormatter(lambda value, at: write(value)))


def _powers(values: Sequence[Number], base: int, room: int) -> list[float]:
    """The powers of the base among the values, or as many of them as there is room for."""
    lowest, highest = min(values), max(values)
    exponents = [at for at in range(-20, 60) if lowest <= Fraction(base) ** at <= highest]
    return [float(base**at) for at in exponents[:: -(-len(exponents) // room)]]


def _numbers(axis: Axis, language: str) -> Callable[[float], str]:
    """How numbers along an axis are written."""

    def exact(value: float) -> Fraction:
        return Fraction(value).limit_denominator(10**6)

    if axis.unit == "percent":
        return lambda value: closed_up(f"{decimal(exact(value), 4)} %", language)
    if axis.unit == "count":
        binary = axis.base == 2
        return lambda value: _binary(exact(value)) if binary else in_units(exact(value), language)
    return lambda value: short(exact(value))


def _binary(value: Number) -> str:
    """A power of two as the field writes it: 4K, 1M."""
    for size, letter in ((2**20, "M"), (2**10, "K")):
        if value >= size and value % size == 0:
            return f"{value // size}{letter}"
    return str(value)


def _legend(figure: Figure, chart: Chart) -> None:
    """One legend above the panels; a line that is alone in its panel needs none."""
    named: dict[str, Any] = {}
    for axes, panel in zip(figure.axes, chart.panels, strict=True):
        if len(panel.series) > 1:
            named = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True)) | named
    if named:
        columns = min(len(named), 3)
        figure.legend(named.values(), named.keys(), loc="outside upper center", ncols=columns, handlelength=3.2, fontsize=8.5)


def _saved(figure: Figure, form: str, title: str) -> bytes:
    written = io.BytesIO()
    dates = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Creator": None, "Producer": None}}
    figure.savefig(written, format=form, metadata={**dates[form], "Title": title})
    text = written.getvalue()
    return _tidied(text.decode()).encode() if form == "svg" else text


def _tidied(svg: str) -> str:
    """An SVG without spaces at line ends, whose letters are found on other machines as well."""

    def families(found: re.Match[str]) -> str:
        names = (*CHINESE, "DejaVu Sans") if any(name in found[2] for name in CHINESE) else ("DejaVu Sans",)
        return found[1] + ", ".join(f"'{name}'" for name in names) + ", sans-serif"

    return "\n".join(line.rstrip() for line in _FAMILIES.sub(families, svg).split("\n"))


def _words(text: Text, language: str) -> str:
    return with_formulas(text.in_(language), LATEX)


def _floats(values: Sequence[Number]) -> list[float]:
    return [float(value) for value in values]
