"""Other authors: the example of docs/book.md, one document, and what is said when something is amiss."""

import inspect
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from derive.cli import main

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "docs" / "example"


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_example_is_rendered_in_every_text_format(tmp_path):
    result = run("book", "--templates", EXAMPLE, "--out", tmp_path, "--format", "md", "--format", "tex", "--format", "html")
    assert result.exit_code == 0, result.stderr
    folder = tmp_path / "en"
    pages = sorted(path.name for path in folder.glob("*.md"))
    assert pages == ["01-parameters.md", "02-memory.md", "formulas.md", "index.md", "references.md", "symbols.md"]
    assert "8,030,261,248" in (folder / "01-parameters.md").read_text()
    assert "[One layer](01-parameters.md#one-layer)" in (folder / "02-memory.md").read_text()
    assert r"\see{01-parameters:one-layer}{One layer}" in (folder / "body" / "02-memory.tex").read_text()
    assert r"\href{https://arxiv.org/abs/1706.03762}{Vaswani et al. 2017}" in (folder / "body" / "01-parameters.tex").read_text()
    assert r"\title{\bfseries What a small model costs}" in (folder / "book.tex").read_text()
    assert "Attention is all you need" in (folder / "references.md").read_text()
    assert (folder / "figures" / "kv-cache.svg").is_file() and (folder / "figures" / "kv-cache.pdf").is_file()
    assert "<math" in (tmp_path / "html" / "en" / "01-parameters.html").read_text()


def test_the_documentation_shows_the_example(tmp_path):
    text = (ROOT / "docs" / "book.md").read_text(encoding="utf-8")
    shown = re.findall(r"```jinja\n(.*?)```", text, flags=re.DOTALL)
    assert (EXAMPLE / "en" / "01-parameters.md.j2").read_text(encoding="utf-8") in shown
    assert all(len(block.splitlines()) <= 30 for block in shown)


def test_every_function_is_documented(request):
    """docs/functions.md lists them all, by signature and docstring; `pytest --update` writes it."""
    from derive.book.functions.functions import Functions
    from derive.book.writing import MARKDOWN

    rows = []
    for name, function in sorted(Functions("en", MARKDOWN).by_name().items()):
        words = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()).replace("|", r"\|")
        assert words, name
        rows.append(f"| `{function!r}` | {words} |")
    text = "\n".join(("# The functions of templates", "", "| call | gives |", "| --- | --- |", *rows, ""))
    path = ROOT / "docs" / "functions.md"
    if request.config.getoption("--update"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "docs/functions.md is stale: run pytest --update and look at it"


def test_templates_without_language_folders(tmp_path):
    (tmp_path / "one.md.j2").write_text("# 一\n\n<< derivation('P_norm') >>\n", encoding="utf-8")
    result = run("book", "--templates", tmp_path, "--language", "zh", "--out", tmp_path / "out", "--format", "md")
    assert result.exit_code == 0 and "的元素数" in (tmp_path / "out" / "zh" / "one.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no templates; they are named *.md.j2"),
        ({"en/a.md.j2": "# A\n\n[there](nowhere.md)\n"}, "en/a.md.j2, line 3: a link leads to 'nowhere.md', which is not there"),
        ({"en/a.md.j2": "# A\n\n<< chapter('a', 'No heading') >>\n"}, "a link leads to 'a.md#no-heading'"),
        ({"en/a.md.j2": "# A\n", "book.toml": "title ="}, "book.toml: Invalid value"),
        ({"en/a.md.j2": "# A\n", "references.toml": "[x]\nyear = 1"}, "references.toml: [x] wants authors, year, title, and perhaps url"),
        ({"en/a.md.j2": b"\xff"}, "not UTF-8"),
        ({"zh/a.md.j2": "# A\n"}, "no templates in en; there are: zh"),
    ],
)
def test_what_is_amiss(tmp_path, files, words):
    for name, content in files.items():
        path = tmp_path / "book" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "book").mkdir(exist_ok=True)
    result = run("book", "--templates", tmp_path / "book", "--language", "en", "--out", tmp_path / "out")
    assert result.exit_code == 2 and words in result.stderr and result.stderr.count("\n") == 1
    assert not list((tmp_path / "out").glob("[!.]*"))


class TestFill:
    @pytest.fixture
    def template(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        path = tmp_path / "notes.md.j2"
        path.write_text("# Notes\n\nIt has << counted('LLaMA-7B') >> of them.\n<< figure('kv-cache') >>\n")
        return path.name

    def test_to_standard_output(self, template):
        result = run("fill", template)
        assert result.exit_code == 0 and result.output.startswith("# Notes\n\nIt has 6,738,415,616 of them.\n")

    @pytest.mark.parametrize(("suffix", "start", "pictures"), [("md", "# Notes", "svg"), ("tex", "% Rendered", "pdf")])
    def test_to_a_file(self, template, tmp_path, suffix, start, pictures):
        result = run("fill", template, "-o", f"out/notes.{suffix}")
        assert result.output.splitlines() == [f"out/notes.{suffix}", f"out/figures/en/kv-cache.{pictures}"]
        text = (tmp_path / "out" / f"notes.{suffix}").read_text(encoding="utf-8")
        assert text.startswith(start) and "6,738,415,616" in text and f"figures/en/kv-cache.{pictures}" in text

    def test_a_page_of_html_holds_its_pictures(self, template, tmp_path):
        assert run("fill", template, "-o", "out/notes.html").output.splitlines() == ["out/notes.html"]
        text = (tmp_path / "out" / "notes.html").read_text(encoding="utf-8")
        assert text.startswith("<!DOCTYPE html>") and "6,738,415,616" in text and '<img src="data:image/svg+xml;base64,' in text

    @pytest.mark.parametrize("suffix", ["md", "html"])
    def test_documents_side_by_side_keep_their_pictures(self, template, tmp_path, suffix):
        run("fill", template, "-o", f"y.{suffix}")
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        assert run("fill", template, "--language", "zh", "-o", f"z.{suffix}").exit_code == 0
        assert all(path.read_bytes() == content for path, content in before.items())
        assert len(list(tmp_path.rglob("*.svg"))) == (2 if suffix == "md" else 0)

    @pytest.mark.parametrize("folder", [".", "zh"])
    def test_the_references_beside_it(self, tmp_path, monkeypatch, folder):
        monkeypatch.chdir(tmp_path)
        Path("references.toml").write_text('[vaswani]\nauthors = "Vaswani et al."\nyear = 2017\ntitle = "Attention"\n')
        Path(folder).mkdir(exist_ok=True)
        Path(folder, "notes.md.j2").write_text("# Notes\n\nSee << cite('vaswani') >>.\n")
        result = run("fill", f"{folder}/notes.md.j2", "--language", "zh")
        assert result.exit_code == 0 and "See Vaswani 等 2017." in result.output

    def test_no_references(self, template):
        Path(template).write_text("<< cite('vaswani') >>")
        assert "no reference 'vaswani'" in run("fill", template).stderr

    @pytest.mark.skipif(shutil.which("xelatex") is None, reason="no TeX")
    def test_to_a_pdf(self, template, tmp_path):
        assert run("fill", template, "-o", "notes.pdf").exit_code == 0
        assert (tmp_path / "notes.pdf").read_bytes().startswith(b"%PDF")

    def test_an_unknown_format(self, template):
        result = run("fill", template, "-o", "notes.docx")
        assert result.exit_code == 2 and "the suffix says the format" in result.stderr

    def test_no_such_file(self, template):
        result = run("fill", "nowhere.md.j2")
        assert result.exit_code == 2 and "nowhere.md.j2: no such file" in result.stderr
