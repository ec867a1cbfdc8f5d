"""The HTML book: formulas as MathML, links that lead somewhere, and what a real browser makes of it."""

import re
import shutil
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from derive.book.drawing import _chinese_font
from derive.book.html import html_body
from derive.book.mathml import mathml
from derive.book.rendering import render_book
from derive.book.written import write_all
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

    def test_lines_that_are_aligned(self):
        math = ElementTree.fromstring(mathml("\\begin{aligned}\na &= b &&\\quad \\text{why} \\\\\n&= c\n\\end{aligned}", display=True))
        assert math.get("display") == "block"
        assert [len(row) for row in math.iter("mtr")] == [4, 2]

    def test_the_markdown_dialect_is_the_same(self):
        assert mathml(r"a\thinspace b") == mathml(r"a\,b")
        assert mathml("\\begin{aligned}a &= b \\cr &= c\\end{aligned}") == mathml("\\begin{aligned}a &= b \\\\ &= c\\end{aligned}")

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

    def test_links_lead_to_pages(self):
        assert '<a href="02-x.html#%E5%B1%82">' in html_body("[x](02-x.md#层)")
        assert '<a href="https://example.org/a.md">' in html_body("[x](https://example.org/a.md)")

    def test_a_long_formula_in_a_line_may_break_at_its_relations(self):
        body = html_body(r"so $12Ld^2 = 12 \cdot 32 \cdot 4096^2 = 6{,}442{,}450{,}944$ of them")
        assert body.count("<math") == 3 and body.count("<wbr>") == 2
        assert html_body("so $d_q = d$").count("<math") == 1

    def test_a_wide_mark_needs_no_space_before_a_formula(self):
        assert "：<math" in html_body("宽度： $d$") and "宽 <math" in html_body("宽 $d$")

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


def opened(browser, path: Path, width: int, scheme: str):
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url))
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    page.goto(path.as_uri())
    return page, said


SIZES = "Array.from(document.querySelectorAll('math')).filter(m => { const r = m.getBoundingClientRect(); return !(r.width > 1 && r.height > 1) && m.checkVisibility({contentVisibilityAuto: true}) }).length"


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_every_page_in_a_browser(site, browser, width, scheme):
    for path in sorted(site.rglob("*.html")):
        page, said = opened(browser, path, width, scheme)
        assert said == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(SIZES) == 0, path
        page.close()


def test_the_theme_follows_the_reader(site, browser):
    paper = "getComputedStyle(document.body).backgroundColor"
    light, dark = (opened(browser, site / "en" / "index.html", 800, scheme)[0].evaluate(paper) for scheme in ("light", "dark"))
    assert light != dark


def test_searching_headings(site, browser):
    page, _ = opened(browser, site / "en" / "index.html", 1280, "light")
    page.fill("input[type=search]", "symbols")
    shown = page.locator("nav.book li:visible").all_inner_texts()
    assert shown and all("symbols" in text.lower() for text in shown)


def test_pages_read_without_a_script(site, browser):
    chapter = sorted((site / "en").glob("0*.html"))[0].read_text(encoding="utf-8")
    without = re.sub(r"<script>.*?</script>", "", chapter, flags=re.DOTALL)
    assert 'rel="next"' in without and 'href="index.html"' in without and "<summary>Contents</summary>" in without
