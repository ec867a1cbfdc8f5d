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
    from derive.book.functions import Functions
    from derive.book.writing import MARKDOWN

    rows = []
    for name, function in sorted(Functions("en", MARKDOWN).by_name().items()):
        parameters = inspect.signature(function, eval_str=False).parameters.values()
        shown = ", ".join(re.sub(r": [^=]*?(?= = |$)", "", str(each)).replace(" = ", "=") for each in parameters)
        words = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()).replace("|", r"\|")
        assert words, name
        rows.append(f"| `{name}({shown})` | {words} |")
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
        ({"en/a.md.j2": "# A\n\n[there](nowhere.md)\n"}, "en/a.md: a link leads to 'nowhere.md', which is not there"),
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
    assert not (tmp_path / "out").exists()


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

    @pytest.mark.parametrize(
        ("suffix", "start", "pictures"), [("md", "# Notes", "svg"), ("tex", "% Rendered", "pdf"), ("html", "<!DOCTYPE html>", "svg")]
    )
    def test_to_a_file(self, template, tmp_path, suffix, start, pictures):
        result = run("fill", template, "-o", f"out/notes.{suffix}")
        assert result.output.splitlines() == [f"out/notes.{suffix}", f"out/figures/kv-cache.{pictures}"]
        text = (tmp_path / "out" / f"notes.{suffix}").read_text(encoding="utf-8")
        assert text.startswith(start) and "6,738,415,616" in text and f"figures/kv-cache.{pictures}" in text

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
