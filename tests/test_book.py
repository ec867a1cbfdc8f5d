"""The book: golden copy, coverage of the inventory, false steps, and what a renderer needs of the Markdown."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import derive
from derive.book import rendering
from derive.book.latex.body import latex_body
from derive.book.rendering import chapter_names, render_book, templates_folder, write_book
from derive.cli import main
from derive.errors import ChapterError
from derive.formula.parse import parse

OUT = Path(__file__).parent.parent / "out"
NAMES = re.compile(
    r"LLaMA-7B|Llama-\d-\d+B|GPT-3 175B|GPT-[23]|Mixtral-8x7B|DeepSeek-V[23]|Qwen2-7B|Qwen3-30B-A3B|Qwen[23]|Gemma-2-9B|Gemma 2|"
    r"gpt-oss-20b|(?:fp|bf|int)(?:4|8|16|32)|mxfp4|q[48]_0|（7B）"
)
"""Names of models and of number formats, which hold digits."""
LANGUAGES = ("en", "zh")


def sources(language):
    return sorted((templates_folder() / language).glob("*.md.j2"))


@pytest.fixture(scope="session")
def pages(rendered_once):
    """The whole book as Markdown and LaTeX, rendered once."""
    return [page for page in render_book(store=rendered_once, figures=False) if page.path.suffix in (".md", ".tex")]


@pytest.fixture(scope="session")
def chapters(pages):
    """The chapters, and the pages made from them, as Markdown."""
    return {page.path.as_posix(): page.text for page in pages if page.path.suffix == ".md"}


def test_the_golden_copy(request, pages):
    if request.config.getoption("--update"):
        write_book(OUT)
    for page in pages:
        assert (OUT / page.path).read_text(encoding="utf-8") == page.text, f"{page.path} is stale: run pytest --update and look at it"
    committed = {path.relative_to(OUT) for path in OUT.rglob("*") if path.suffix in (".md", ".tex")}
    assert committed == {page.path for page in pages}


def test_both_languages_have_the_same_chapters():
    assert chapter_names("en") == chapter_names("zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_hold_no_mathematics(language):
    """Every formula and every figure comes from the engine; names of models may hold digits."""
    for path in sources(language):
        prose = re.sub(r"<<.*?>>|<#.*?#>|<%.*?%>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        prose = NAMES.sub("", prose)
        assert not re.search(r"[$\\=≈]|\d", prose), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_dollars_as_github_reads_them(language, chapters):
    """GitHub takes `$` for mathematics only after white space, and not before a letter or a digit; it eats `\\,` and `\\\\`."""
    for path, whole in chapters.items():
        if not path.startswith(language):
            continue
        text = re.sub(r"^\$\$\n.*?\n\$\$$", "", whole, flags=re.DOTALL | re.MULTILINE)
        for formula in re.finditer(r"(.|^)\$([^$\n]+)\$(.|$)", text, flags=re.MULTILINE):
            before, inner, after = formula.groups()
            assert before in ("", " "), formula.group()
            assert not re.match(r"[A-Za-z0-9]", after), formula.group()
            assert inner == inner.strip()
        assert "$" not in re.sub(r"\$[^$\n]+\$", "", text)
        assert not re.search(r"\\[^A-Za-z]", whole), path


def test_numbers_that_the_chapters_must_show(chapters):
    text = chapters
    shown = {
        "02-attention": ("41{,}943{,}040", "67{,}125{,}248", "187,107,328", "37.5 %", "75.0 %"),
        "03-feed-forward": ("8d^2 + 5d", "45.5 %", "80.8 %"),
        "04-vocabulary": ("38{,}597{,}376", "786{,}432", "23.7 %", "163,037,184"),
        "05-dense-decoder": (
            "6,738,415,616", "124,439,808", "202{,}383{,}360", "68.3 %", "80.2 %", "99.6 %", "12Ld^2", "12d^2 + 13d", "295,964,672",
            "6{,}573{,}522{,}944",
        ),
        "06-mixture-of-experts": ("46,702,792,704", "12,879,925,248", "671,026,404,352", "671,026,419,200", "37,552,282,624", "1.25, 1.50"),
        "07-active-parameters": ("12{,}617{,}515{,}008", "5.47", "A 4"),
        "11-memory": ("350 GB", "20 GB", "112 GB", "1{,}073{,}741{,}824"),
        "12-lora": ("131{,}072", "8,388,608"),
        "14-mistakes": ("173{,}946{,}175{,}488", "56,000,000,000"),
        "15-exercises": ("354{,}823{,}168", "45{,}092{,}864", "32{,}768{,}000"),
    }  # fmt: skip
    for language in LANGUAGES:
        for chapter, numbers in shown.items():
            for number in numbers:
                assert number.replace(" %", "%") in text[f"{language}/{chapter}.md"].replace(" %", "%"), (chapter, number)


def test_the_book_checks_itself(pages):
    """A reader who runs the checker on the book finds nothing wrong but what is shown as wrong, and no stale comment."""
    for page in pages:
        checked = derive.check(page.text, page.path.suffix[1:])
        assert not [each for each in checked if each.verdict == "wrong" or each.code in ("stale-ignore", "bad-comment")], page.path


class TestFalseSteps:
    @pytest.fixture
    def spoiled(self, monkeypatch, tmp_path):
        """A copy of the templates whose first English chapter may be changed."""
        from shutil import copytree

        folder = copytree(templates_folder(), tmp_path / "templates")
        monkeypatch.setattr(rendering, "templates_folder", lambda: folder)

        def spoil(text):
            path = folder / "en" / "05-dense-decoder.md.j2"
            path.write_text("# Title\n\nfirst\n" + text, encoding="utf-8")

        return spoil

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('<< claim("P_attn = 4*d^2", "d_q=d") >>', "the claim 'P_attn = 4*d^2' is false: the sides differ by -2d² + 2d·d_kv"),
            ('<< approximation("P_block", drop="3*d*m", scaling="d m") >>', "P_block: the step 'the leading terms' does not hold"),
            ('<< approximation("P_block", drop="2*d", scaling="V") >>', "does not dominate"),
            ('<< math("d = 2*d") >> << nothing() >>', "'nothing' is undefined"),
            ('<< math("P_attn = 4*d^2") >>', "use claim()"),
            ('<< math("d +") >>', "the formula ends too early"),
            ('<< counted("no-such-model") >>', "neither a file nor a bundled model"),
            ("<< math('d' >>", "line 4"),
            ("<% for %>", "line 4"),
            ('<< derivation("P_attn", "d_q=x", wrong=True) >>', "line 4"),
        ],
    )
    def test_nothing_is_written_and_the_step_is_named(self, spoiled, tmp_path, text, words):
        spoiled(text)
        result = CliRunner().invoke(main, ["book", "dense-decoder", "--language", "en", "--out", str(tmp_path / "out")])
        assert result.exit_code == 2
        assert words in result.stderr and "en/05-dense-decoder.md.j2, line 4" in result.stderr and result.stderr.count("\n") == 1
        assert not (tmp_path / "out").exists()

    def test_a_component_whose_parts_do_not_add_up(self, monkeypatch, tmp_path):
        from derive import derivation
        from derive.book.functions.functions import Functions
        from derive.book.naming import naming_of
        from derive.book.sandbox.templating import rendered
        from derive.book.sources import sources_of
        from derive.book.writing import MARKDOWN

        true = derivation._definitions
        monkeypatch.setattr(derivation, "_definitions", lambda *arguments: true(*arguments) | {"P_ffn": parse("4dm")})
        with pytest.raises(ChapterError, match="the parts do not add up to the tensors of the whole"):
            naming = naming_of(sources_of(templates_folder()), "en")
            rendered(templates_folder() / "en" / "05-dense-decoder.md.j2", "the chapter", Functions("en", MARKDOWN, naming).by_name())

    def test_old_files_stay_as_they_were(self, spoiled, tmp_path):
        out = tmp_path / "out"
        write_book(out, ("dense-decoder",), ("en",), ("md",))
        before = {path: path.read_bytes() for path in out.rglob("*.md")}
        spoiled('<< claim("d = m") >>')
        with pytest.raises(ChapterError):
            write_book(out, ("dense-decoder",), ("en",), ("md",))
        assert {path: path.read_bytes() for path in out.rglob("*.md")} == before


class TestLatex:
    def test_every_kind_of_block(self):
        title, body = latex_body(
            "# T & U\n\n## S\n\na *b* **c** `d_e` 5 % $x_1$\n\n- one\n- two\n\n$$\ny\n$$\n\n| a | b |\n| --- | ---: |\n| 1 | $z$ |\n"
        )
        assert title == r"T \& U"
        assert body.splitlines()[:3] == [r"\section{S}", "", r"a \emph{b} \textbf{c} \texttt{d\_\allowbreak{}e} 5~\% $x_1$"]
        assert "\\[\ny\n\\]" in body and r"\begin{tabular}{@{}lr@{}}" in body and "1 & $z$ \\\\" in body

    def test_what_chapters_do_not_hold_is_an_error(self):
        with pytest.raises(ChapterError, match="may not hold"):
            latex_body("<b>bold</b>\n")


def test_a_missing_tex_is_one_clear_line(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(main, ["book", "dense-decoder", "--format", "pdf", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "a PDF needs xelatex, which is not installed: install TeX first" in result.stderr
    assert not list((tmp_path / "out").glob("[!.]*"))


def test_one_chapter_by_name(tmp_path):
    result = CliRunner().invoke(
        main, ["book", "mixture-of-experts", "--language", "zh", "--format", "md", "--no-figures", "--out", str(tmp_path)]
    )
    assert result.output.splitlines()[0] == str(tmp_path / "zh/06-mixture-of-experts.md")
    assert not list(tmp_path.glob("*/01*"))
    result = CliRunner().invoke(main, ["book", "no-chapter", "--out", str(tmp_path)])
    assert result.exit_code == 2 and "no chapter 'no-chapter'; known: 01-notation" in result.stderr


def test_an_output_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "en").write_text("a file in the way")
    result = CliRunner().invoke(main, ["book", "dense-decoder", "--language", "en", "--out", str(tmp_path)])
    assert result.exit_code == 2 and "cannot be written" in result.stderr
    assert (tmp_path / "en").read_text() == "a file in the way"
