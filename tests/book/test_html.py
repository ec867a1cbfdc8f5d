"""The HTML book: formulas as MathML, links that lead somewhere, and what a real browser makes of it."""

import re
import shutil
import tempfile
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from derive.book.drawing import _chinese_font
from derive.book.html.body import html_body
from derive.book.html.mathml import mathml
from derive.book.html.page import HtmlPage
from derive.book.output.written import write_all
from derive.book.rendering import render_book
from derive.errors import ChapterError

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--no-first-run",
]


class TestMathML:
    def test_a_formula(self):
        math = ElementTree.fromstring(mathml(r"P_{\mathrm{total}} = 6{,}738{,}415{,}616"))
        assert [leaf.text for leaf in math.iter() if leaf.text] == ["P", "total", "=", "6,738,415,616"]

    @pytest.mark.parametrize(("latex", "text"), [(r"\text{R\&D}", "R&D"), (r"\text{a < b}", "a < b"), ("a < b", "<")])
    def test_signs_of_markup_stay_letters(self, latex, text):
        leaves = [leaf.text.replace("\u00a0", " ") for leaf in ElementTree.fromstring(mathml(latex)).iter() if leaf.text]
        assert text in leaves

    def test_lines_that_are_aligned(self):
        math = ElementTree.fromstring(mathml("\\begin{aligned}\na &= b &&\\quad \\text{why} \\\\\n&= c\n\\end{aligned}", display=True))
        assert math.get("display") == "block"
        assert [len(row) for row in math.iter("mtr")] == [4, 2]

    def test_the_markdown_dialect_is_the_same(self):
        assert mathml(r"a\thinspace b") == mathml(r"a\,b")
        assert mathml("\\begin{aligned}a &= b \\cr &= c\\end{aligned}") == mathml("\\begin{aligned}a &= b \\\\ &= c\\end{aligned}")

    @pytest.mark.parametrize(
        ("latex", "tag", "base"),
        [
            (r"12 \cdot 12{,}288^2", "msup", "12,288"),
            (r"6{,}738{,}415{,}616^{2}", "msup", "6,738,415,616"),
            (r"12{,}288_a^2", "msubsup", "12,288"),
            (r"1 + 288^2", "msup", "288"),
        ],
    )
    def test_an_exponent_stands_at_the_whole_number(self, latex, tag, base):
        (found,) = ElementTree.fromstring(mathml(latex)).iter(tag)
        assert found[0].text == base

    @pytest.mark.parametrize(
        ("latex", "spaces"), [(r"d\ln n", 2), (r"\partial\ln P", 2), (r"\ln(n)", 0), (r"a + \ln n", 1), (r"\log_2 n", 1), (r"a\,\ln n", 2)]
    )
    def test_thin_spaces_around_functions(self, latex, spaces):
        math = ElementTree.fromstring(mathml(latex))
        assert len(list(math.iter("mspace"))) == spaces
        assert all(len(element) == 2 for element in math.iter("msub"))

    def test_brackets_have_no_space(self):
        math = ElementTree.fromstring(mathml(r"2(a + \left[b\right]) |c|"))
        fences = [each for each in math.iter("mo") if each.text in "()[]|"]
        assert len(fences) == 6 and all(each.get("lspace") == each.get("rspace") == "0em" for each in fences)

    @pytest.mark.parametrize("latex", [r"\unknowncommand{d}", r"\left( d", r"\begin{align*} d"])
    def test_what_cannot_be_shown_is_an_error(self, latex):
        with pytest.raises(ChapterError, match="cannot be shown in HTML"):
            mathml(latex)


class TestBody:
    def test_headings_have_anchors(self):
        assert '<h2 id="one-layer-stored">' in html_body("# T\n\n## One layer, stored\n")

    def test_a_picture_and_its_caption(self):
        body = html_body("![Words](figures/kv-cache.svg)\n\n*A caption with $d$.*\n\nText.\n")
        assert re.search(r'<figure><img src="figures/kv-cache.svg" alt="Words" loading="lazy"></figure>', body) is None
        assert body.count("<figure>") == body.count("</figure>") == body.count("<figcaption>") == body.count("</figcaption>") == 1
        assert body.index("<figcaption>") < body.index("</figcaption>") < body.index("</figure>") < body.index("Text.")

    def test_a_picture_alone(self):
        body = html_body("![Words](figures/kv-cache.svg)\n\nText.\n")
        assert body.count("<figure>") == body.count("</figure>") == 1 and "figcaption" not in body

    def test_a_picture_has_its_size_and_a_box(self):
        pictures = {"figures/kv-cache.svg": b'<svg viewBox="0 0 460.8 244.8"></svg>'}
        text = "![Words](figures/kv-cache.svg)\n"
        body = html_body(text, HtmlPage(pictures=pictures))
        assert '<div class="picture" role="region" aria-label="Picture" tabindex="0"><img src="figures/' in body
        assert 'width="461" height="245"' in body
        assert 'src="data:image/svg+xml;base64,PHN2Zy' in html_body(text, HtmlPage(pictures=pictures, alone=True))

    def test_links_lead_to_pages(self):
        assert '<a href="02-x.html#%E5%B1%82">' in html_body("[x](02-x.md#层)")
        assert '<a href="https://example.org/a.md">' in html_body("[x](https://example.org/a.md)")

    def test_a_long_formula_in_a_line_may_break_at_its_relations(self):
        body = html_body(r"so $12Ld^2 = 12 \cdot 32 \cdot 4096^2 = 6{,}442{,}450{,}944$ of them")
        assert body.count("<math") == 3 and body.count("<wbr>") == 2
        assert html_body("so $d_q = d$").count("<math") == 1

    def test_a_wide_mark_needs_no_space_before_a_formula(self):
        assert "：<math" in html_body("宽度： $d$") and "宽 <math" in html_body("宽 $d$")
        assert "，</span><math" in html_body("取 $d$， $m$") and "）</span>中" in html_body("宽（ $d$ ）中")

    def test_no_line_breaks_between_a_formula_and_its_marks(self):
        assert re.search(r'<span class="whole">\(<math.*?</math>\),</span> and', html_body("by ($d$), and"))
        assert re.search(r'<span class="whole"><math.*?</math>.</span></p>', html_body("by $d$."))
        assert "whole" not in html_body("by $d$ and $m$ – so")

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("见 [注意力](a.md) 一章", '见<a href="a.html">注意力</a>一章'),
            ("见 [Vaswani 等 2017](a.md) 一章", '见 <a href="a.html">Vaswani 等 2017</a> 一章'),
            ("see [there](a.md) now", 'see <a href="a.html">there</a> now'),
        ],
    )
    def test_chinese_has_no_spaces_around_links(self, text, shown):
        assert shown in html_body(text)

    def test_names_do_not_break_at_their_hyphens(self):
        body = html_body(
            "LLaMA-7B, GPT-2 small, DeepSeek-V3 and a feed-forward network; Two-thirds; openai.com/a-b-2019-and-a-very-long-one"
        )
        assert re.findall(r'<span class="whole">(.*?)</span>', body) == ["LLaMA-7B", "GPT-2", "DeepSeek-V3"]

    def test_code_in_a_line(self):
        assert "<code>d_model</code>" in html_body("`d_model`")
        assert "<code>num_<wbr>attention_<wbr>heads</code>" in html_body("`num_attention_heads`")

    def test_a_chapter_has_its_number(self):
        assert '<h1 id="t"><span class="number">5</span> T</h1>' in html_body("# T\n", HtmlPage(number="5"))
        contents = html_body("- [T](05-t.md)\n  - [S](05-t.md#s)\n", HtmlPage(numbers={"05-t.md": "5"}))
        assert contents.count("number") == 1 and '<span class="number">5</span> <a href="05-t.html">T</a>' in contents


class TestLines:
    """Aligned lines are a grid, whose cells are read line by line."""

    def cells(self, *rows):
        body = html_body("$$\n\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n$$\n")
        return [
            (name, " ".join(re.sub(r"<[^>]*>", " ", inner).split()))
            for name, inner in re.findall(r'<div class="([a-z ]+)"[^>]*>(?!\n)(.*?)</div>', body)
        ]

    def test_sides_and_reasons(self):
        rows = (r"P_a &= 2d &&\quad \text{with }d_q = d\text{, too}", r"&\to 3d &&\quad \text{取 }\,m\text{ 时}", r"&= 4")
        assert self.cells(*rows) == [
            ("left", "P a"), ("right", "= 2 d"), ("why", "with d q = d , too"), ("right", "→ 3 d"), ("why", "取 m 时"), ("right", "= 4"),
        ]  # fmt: skip

    def test_a_reason_below_its_line(self):
        rows = ("P &= 2d", r"&\quad {} + 3m", r"&\qquad (d\text{ of LLaMA-7B})")
        assert self.cells(*rows) == [("left", "P"), ("right", "= 2 d"), ("right", "+ 3 m"), ("why below", "( d of LLaMA-7B )")]

    def test_each_formula_is_as_large_as_in_a_display(self):
        body = html_body("$$\n\\begin{aligned}\na &= b &&\\quad \\text{with }c\n\\end{aligned}\n$$\n")
        assert body.count("<math") == 3 and body.count('displaystyle="true"') == 2

    def test_a_long_line_scrolls_by_itself_and_takes_the_place_of_its_left_side(self):
        long = " + ".join(["2d"] * 12)
        body = html_body(f"$$\n\\begin{{aligned}}\nP &= {long} \\\\ &= 24d\n\\end{{aligned}}\n$$\n")
        assert (
            '<div class="lines stacked">' in body and body.count('<div class="right" role="region" aria-label="Formula" tabindex="0">') == 1
        )

    @pytest.mark.parametrize("latex", [r"x = \begin{aligned}a &= b\end{aligned}", r"\begin{aligned}a &= b &= c\end{aligned}", "a = b"])
    def test_other_displays_are_one_formula(self, latex):
        body = html_body(f"$$\n{latex}\n$$\n")
        assert body.startswith('<div class="display" role="region"') and body.count("<math") == 1


class TestTables:
    def test_heads_of_columns(self):
        body = html_body("| 模型 | 专家与路由器 |\n| --- | ---: |\n| Mixtral-8x7B | 2 |\n")
        assert '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>' in body
        assert '<th scope="col">模型</th>' in body and '<th style="text-align:right" scope="col">专家与<wbr>路由器</th>' in body
        assert '<td class="short"><span class="whole">Mixtral-8x7B</span></td>' in body and "<td style=" in body

    def test_heads_of_rows(self):
        body = html_body("|  | formula |\n| --- | --- |\n| right | $d$ |\n| a first cell that is rather long | 2 |\n")
        assert "<th></th>" not in body and body.count("<td></td>") == 1
        assert '<th scope="row" class="short">right</th>' in body and '<th scope="row">a first' in body
        assert body.count("<th") - body.count("<thead") == body.count("</th>") == 3 and body.count("<td") == body.count("</td>") == 3


class TestOthers:
    def test_boxes_are_named_in_the_language_of_the_page(self):
        assert 'aria-label="代码"' in html_body("```\na < b\n```\n", HtmlPage("zh"))
        assert '<pre class="code" role="region" aria-label="Code" tabindex="0"><code>a &lt; b\n</code></pre>' in html_body(
            "```\na < b\n```\n"
        )
        assert 'href="#s" aria-label="本节链接">§' in html_body("## S\n", HtmlPage("zh"))

    def test_no_html_of_others(self):
        assert html_body("<!-- a comment -->\n") == ""
        for text in ("<script>alert(1)</script>", "a <b onclick=x>b</b>"):
            with pytest.raises(ChapterError, match="may not hold HTML"):
                html_body(text)


@pytest.fixture(scope="module")
def site(tmp_path_factory, rendered_once):
    """The whole book as HTML."""
    out = tmp_path_factory.mktemp("site")
    try:
        _chinese_font()
    except ChapterError:
        pytest.skip("no font with Chinese letters")
    write_all(out, render_book(formats=("html",), store=rendered_once))
    return out / "html"


class _Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.tags = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append(tag)
        self.links += [given[name] for name in ("href", "src") if given.get(name)]
        if "id" in given:
            assert given["id"] not in self.anchors, f"twice: {given['id']}"
            self.anchors.add(given["id"])


def test_every_link_resolves_and_none_needs_a_network_to_be_read(site):
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > 6
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("https", "data"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            assert target.is_file(), f"{path}: {link}"
            if parts.fragment:
                assert unquote(parts.fragment) in pages[target].anchors, f"{path}: {link}"
        assert not re.search(r"(?:src|rel=.stylesheet. href)=\"http", path.read_text(encoding="utf-8")), path


def test_every_formula_is_a_math_element(site):
    for path in site.glob("*/*.html"):
        text = path.read_text(encoding="utf-8")
        assert "$" not in re.sub(r"<code.*?</code>|<script.*?</script>", "", text, flags=re.DOTALL), path
        assert "math" in _Page(text).tags or path.stem in ("index", "references")


@pytest.fixture(scope="module")
def browser():
    """Debian's chromium, driven by Playwright, with a profile of its own."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if not shutil.which(CHROMIUM):
        pytest.skip("no chromium")
    with sync_api.sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=FLAGS, color_scheme="light")
        yield context
        context.close()


def opened(browser, path: Path, width: int, scheme: str, *, scripts: bool = True, media: str = "screen"):
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url))
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme, media=media)
    if not scripts:
        page.context.new_cdp_session(page).send("Emulation.setScriptExecutionDisabled", {"value": True})
    page.goto(path.as_uri())
    return page, said


def chapter(site, name, language="en") -> Path:
    return next((site / language).glob(f"*{name}.html"))


SIZES = "Array.from(document.querySelectorAll('math')).filter(m => { const r = m.getBoundingClientRect(); return !(r.width > 1 && r.height > 1) && m.checkVisibility({contentVisibilityAuto: true}) }).length"
BOXES = "Array.from(document.querySelectorAll('.display, .wide, .code, .picture, .scrolling, .left, .right'))"
CUT = f"{BOXES}.filter(box => box.scrollWidth > box.clientWidth + 1)"
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_every_page_in_a_browser(site, browser, width, scheme):
    """Also with letters twice as large; on a wide screen nothing is cut."""
    for path in sorted(site.rglob("*.html")):
        page, said = opened(browser, path, width, scheme)
        assert said == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(SIZES) == 0, path
        if width > 1000:
            assert page.evaluate(f"{CUT}.map(box => box.textContent)") == [], path
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.close()


def test_on_a_phone(site, browser):
    """Reasons are in sight, what is cut has a shadow and can be reached, pictures are large enough to be read."""
    for path in (chapter(site, "dense-decoder"), chapter(site, "gallery", "zh")):
        page, _ = opened(browser, path, 390, "light")
        assert page.evaluate("Array.from(document.querySelectorAll('.why')).every(why => why.getBoundingClientRect().right <= 390)")
        assert page.evaluate(f"{CUT}.length") > 3
        assert page.evaluate(f"{CUT}.every(box => getComputedStyle(box).backgroundAttachment.includes('local') && box.tabIndex === 0)")
        assert page.evaluate("document.querySelectorAll('[tabindex]').length") == page.evaluate(f"{CUT}.length")
        assert page.evaluate("Array.from(document.querySelectorAll('figure img')).every(img => img.getBoundingClientRect().width >= 600)")
        page.set_viewport_size({"width": 1280, "height": 844})
        page.wait_for_function("document.querySelectorAll('[tabindex], [role=region]').length === 0")
        page.close()


def test_lines_of_a_derivation(site, browser):
    """A line's reason stands beside it on a wide screen, and below it on a phone; rows are even."""
    edges = "Array.from(document.querySelector('.lines:has(.why:not(.below))').children, each => [each.className, each.getBoundingClientRect()]).map(([name, box]) => [name, box.top, box.bottom])"
    for width in (390, 1280):
        page, _ = opened(browser, chapter(site, "dense-decoder"), width, "light")
        cells = page.evaluate(edges)
        (_, top, bottom), (_, below, _) = next(pair for pair in pairwise(cells) if [each[0] for each in pair] == ["right", "why"])
        assert top < below < bottom if width > 1000 else below >= bottom - 6
        rows = [top for name, top, _ in cells if name == "right"]
        assert max(rows[2] - rows[1], rows[1] - rows[0]) - min(rows[2] - rows[1], rows[1] - rows[0]) < 2
        page.close()


def test_the_theme_follows_the_reader(site, browser):
    light, dark = (opened(browser, site / "en" / "index.html", 800, scheme)[0].evaluate(PAPER) for scheme in ("light", "dark"))
    assert light != dark
    page, _ = opened(browser, site / "en" / "index.html", 800, "dark", scripts=False)
    page.check(".theme")
    assert page.evaluate(PAPER) == light
    assert opened(browser, site / "en" / "index.html", 800, "dark", media="print")[0].evaluate(PAPER) == "rgb(255, 255, 255)"


def test_the_theme_is_kept(site, browser):
    page, said = opened(browser, site / "en" / "index.html", 800, "light")
    light = page.evaluate(PAPER)
    page.check(".theme")
    page.goto(chapter(site, "attention", "zh").as_uri())
    assert page.is_checked(".theme") and page.evaluate(PAPER) != light and said == []
    page.uncheck(".theme")


def test_on_paper(site, browser):
    """Nothing of the navigation, no table cut, at the width between the margins of A4."""
    for path in (
        site / "en" / "formulas.html",
        site / "zh" / "symbols.html",
        chapter(site, "gallery", "zh"),
        chapter(site, "dense-decoder"),
    ):
        page, _ = opened(browser, path, 680, "dark", media="print")
        assert not page.locator("header, nav, .permalink, .skip").locator("visible=true").count()
        assert page.evaluate("document.documentElement.scrollWidth") <= 680, path
        assert page.evaluate(f"{BOXES}.every(box => getComputedStyle(box).overflowX === 'visible')")
        assert page.evaluate("getComputedStyle(document.querySelector('tr')).breakInside") == "avoid"
        page.close()


class TestSearch:
    @pytest.fixture
    def page(self, site, browser):
        page, _ = opened(browser, chapter(site, "dense-decoder"), 1280, "light")
        yield page
        page.close()

    def shown(self, page, words):
        page.fill("input[type=search]", words)
        return page.locator("nav.book li:visible").all_inner_texts()

    def test_headings(self, site, browser):
        page, _ = opened(browser, site / "en" / "index.html", 1280, "light")
        shown = self.shown(page, "symbols")
        assert shown and all("symbols" in text.lower() for text in shown)

    def test_every_word_counts_in_any_order_and_width(self, page):
        assert self.shown(page, "decoder  dense") == self.shown(page, "ｄｅｎｓｅ DECODER") != []
        assert any("Counting a dense decoder" in text for text in self.shown(page, "dense decoder"))

    def test_nothing_found(self, page):
        status = page.locator("nav.book [role=status]")
        assert self.shown(page, "dense zebra") == [] and status.inner_text() == "No heading has all these words"
        assert self.shown(page, "") and status.inner_text() == ""

    def test_enter_opens_the_first(self, page):
        self.shown(page, "list symbols")
        page.press("input[type=search]", "Enter")
        page.wait_for_url("**/symbols.html")


def test_the_contents_stand_once_on_their_own_page(site, browser):
    for width in (390, 1280):
        page, _ = opened(browser, site / "en" / "index.html", width, "light")
        assert page.locator("a[href='symbols.html']:visible").count() == 1
        assert page.locator("input[type=search]:visible").count() == 1
        page.close()
    widths = [
        opened(browser, site / "en" / name, 1280, "light")[0].evaluate("document.querySelector('main').clientWidth")
        for name in ("index.html", "01-notation.html")
    ]
    assert widths[0] == widths[1]


def test_a_section_has_a_link_of_its_own(site, browser):
    page, _ = opened(browser, chapter(site, "dense-decoder"), 390, "light")
    mark = page.locator("h2 .permalink").first
    assert mark.get_attribute("aria-label") == "Link to this section" and mark.evaluate("each => each.tabIndex") == 0
    assert page.evaluate(
        "(([a, b]) => a.bottom - b.bottom)([document.querySelector('h2'), document.querySelector('h2 .permalink')].map(e => e.getBoundingClientRect())) >= 0"
    )
    mark.focus()
    page.keyboard.press("Tab"), page.keyboard.press("Shift+Tab")
    assert mark.evaluate("each => getComputedStyle(each).opacity") == "1"
    page.close()


def test_the_first_page_has_one_heading(site):
    assert _Page((site / "index.html").read_text(encoding="utf-8")).tags.count("h1") == 1


def test_pages_read_without_a_script(site, browser):
    path = chapter(site, "dense-decoder")
    text = re.sub(r"<script.*?</script>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert 'rel="next"' in text and 'href="index.html"' in text and "<summary>Contents</summary>" in text
    wide, narrow = (opened(browser, path, width, "light", scripts=False)[0].locator("nav.book a").first for width in (1280, 390))
    assert wide.is_visible() and not narrow.is_visible()
