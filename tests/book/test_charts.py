"""Figures: their numbers against independent forms, and that they are drawn the same every time, in both languages."""

from fractions import Fraction
from xml.etree import ElementTree

import pytest

from derive.book.charts import chart_names, chart_of
from derive.book.drawing import _chinese_font, drawn
from derive.counting import count
from derive.errors import ChapterError

SVG = "{http://www.w3.org/2000/svg}"


def series(name, panel=0):
    return {each.label.en: dict(zip(each.x, each.y, strict=True)) for each in chart_of(name).panels[panel].series}


def test_the_pictures_that_the_book_needs():
    assert chart_names() == (
        "active-and-total", "attention-crossover", "component-shares", "elasticities", "kv-cache", "rule-of-thumb",
    )  # fmt: skip


class TestNumbers:
    def test_shares_are_all_of_each_model(self):
        (bars,) = chart_of("component-shares").panels
        assert [sum(lengths) for lengths in zip(*(each.y for each in bars.series), strict=True)] == [100] * len(bars.names)
        gpt2 = {each.label.en: each.y[0] for each in bars.series}
        assert gpt2["embeddings, positions and head"] == Fraction(100 * (38_597_376 + 786_432), 124_439_808)

    def test_the_rule_of_thumb(self):
        lines = series("rule-of-thumb")
        for d in (256, 4096, 16384):
            exact = 32 * (12 * d**2 + 2 * d) + d + 2 * 32000 * d
            assert lines["exact count"][d] == exact and lines["`12*L*d^2`"][d] == 12 * 32 * d**2
            assert series("rule-of-thumb", 1)["relative error"][d] == Fraction(100 * (exact - 12 * 32 * d**2), exact)

    def test_elasticities(self):
        lines, d, L, V = series("elasticities"), 1024, 32, 32000
        whole = L * (12 * d**2 + 2 * d) + d + 2 * V * d
        assert lines["depth `L`"][d] == Fraction(L * (12 * d**2 + 2 * d), whole)
        assert lines["vocabulary `V`"][d] == Fraction(2 * V * d, whole)
        assert lines["intermediate size `m`"][d] == Fraction(L * 8 * d**2, whole)
        assert lines["width `d` with `m` and `d_kv`"][d] == Fraction(L * (24 * d**2 + 2 * d) + d + 2 * V * d, whole)
        assert lines["width `d`, `m` and `d_kv` fixed"][d] == Fraction(L * (4 * d**2 + 2 * d**2 + 8 * d**2 + 2 * d) + d + 2 * V * d, whole)

    def test_the_cache(self):
        lines, n, gib = series("kv-cache"), 2**17, 2**30
        assert lines["multi-head"][n] == Fraction(2 * 2 * 32 * 4096 * n, gib)
        assert lines["grouped-query"][n] == Fraction(2 * 2 * 32 * 1024 * n, gib) == 16
        assert lines["grouped-query, half with a window"][n] == Fraction(2 * 2 * 16 * 1024 * (n + 4096), gib)
        assert lines["latent"][n] == Fraction(2 * 32 * (512 + 64) * n, gib)

    def test_active_and_total(self):
        over_E, over_k = series("active-and-total"), series("active-and-total", 1)
        mixtral = count("Mixtral-8x7B")
        assert over_E["total (stored)"][8] == over_k["total (stored)"][2] == mixtral.total
        assert over_E["active"][8] == over_k["active"][2] == mixtral.active
        assert over_k["active"][8] == mixtral.total

    def test_attention_overtakes_at_six_widths_in_gpt(self):
        """12 d² weights at 2 FLOPs each against 4 n d: equal at n = 6 d."""
        from derive.book.charts.attention_crossover import CONTEXTS, ratios

        assert dict(zip(CONTEXTS, ratios("GPT-2 small"), strict=True))[512] == Fraction(512, 6 * 768)


@pytest.fixture
def chinese_font():
    pytest.importorskip("matplotlib")
    try:
        return _chinese_font()
    except ChapterError:
        pytest.skip("no font with Chinese letters")


def words_of(svg):
    root = ElementTree.fromstring(svg)
    return ["".join("".join(text.itertext()).split()) for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", chart_names())
class TestDrawing:
    def test_twice_the_same(self, name):
        assert drawn(chart_of(name), "en") == drawn(chart_of(name), "en")

    def test_labels_are_text_in_the_chapter_s_language(self, name, chinese_font):
        chart = chart_of(name)
        english, chinese = (words_of(drawn(chart, language)["svg"]) for language in ("en", "zh"))
        label = chart.panels[0].x.label
        for words, text in ((english, label.en), (chinese, label.zh)):
            assert text.partition("`")[0].replace(" ", "") in " ".join(words)

    def test_every_series_differs_without_colour(self, name):
        """Bars by their hatch, lines by dashes and markers."""
        from derive.book import drawing

        most = max(len(panel.series) for panel in chart_of(name).panels)
        assert (
            len({str(dashes) for dashes in drawing.DASHES[:most]})
            == len(set(drawing.MARKERS[:most]))
            == len(set(drawing.HATCHES[:most]))
            == most
        )

    def test_no_date_and_no_machine(self, name):
        made = drawn(chart_of(name), "en")
        assert b"CreationDate" not in made["pdf"] and b"dc:date" not in made["svg"] and b"/home" not in made["pdf"]


def test_without_a_chinese_font(monkeypatch):
    pytest.importorskip("matplotlib")
    from matplotlib.font_manager import fontManager

    monkeypatch.setattr(fontManager, "ttflist", [font for font in fontManager.ttflist if "DejaVu" in font.name])
    with pytest.raises(ChapterError, match=r"install one \(Debian: apt-get install fonts-noto-cjk\)"):
        drawn(chart_of("kv-cache"), "zh")


def test_without_matplotlib(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ChapterError, match=r"figures need matplotlib, which is not installed: pip install 'derive\[book\]'"):
        drawn(chart_of("kv-cache"), "en")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_committed_pictures_show_what_is_drawn_today(language, chinese_font):
    """Other versions of matplotlib place things a little differently; words and curves stay."""
    from derive.book.rendering import templates_folder

    folder = templates_folder().parent / "out" / language / "figures"
    for path in sorted(folder.glob("*.svg")):
        kept, now = path.read_bytes(), drawn(chart_of(path.stem), language)["svg"]
        assert words_of(kept) == words_of(now), path.name
        assert kept.count(b"<path") == now.count(b"<path"), path.name
