"""Markdown of other authors as LaTeX: their mathematics is mathematics, and XeLaTeX can print what they write."""

import shutil
import subprocess

import pytest
from click.testing import CliRunner

from derive.book.latex import pdf
from derive.book.latex.body import latex_body
from derive.book.latex.letters import formula_latex, text_latex
from derive.book.latex.mathematics import COMMANDS, COMMANDS_OF_AMSSYMB, ENVIRONMENTS, check_mathematics
from derive.cli import main
from derive.errors import ChapterError

with_tex = pytest.mark.skipif(shutil.which("xelatex") is None, reason="no TeX")


class TestMathematics:
    @pytest.mark.parametrize(
        ("latex", "named"),
        [
            (r"\input{/etc/passwd}", r"\input"),
            (r"a \loop\iftrue\repeat", r"\loop"),
            (r"\csname input\endcsname", r"\csname"),
            (r"\text{\write18{id}}", r"\write"),
            ("^^5cinput", "^^"),
            ("50% of d", "%"),
            ("x#1", "#"),
            (r"\begin{filecontents}{x}", r"\begin{filecontents}"),
            (r"\begin aligned", r"\begin"),
            (r"\end{document}", r"\end{document}"),
            (r"\alphaé", r"\alphaé"),
            (r"\] text", r"\]"),
        ],
    )
    def test_what_is_none(self, latex, named):
        with pytest.raises(ChapterError) as raised:
            check_mathematics(latex)
        assert str(raised.value) == f"a formula for LaTeX may hold mathematics alone, not {named}"

    @pytest.mark.parametrize(
        "latex", [r"\frac{a\,b}{c} \% \\ \alpha_1", r"\begin{aligned} a &= b \cr \end{aligned}", r"\mathbb{R} \text{if } x"]
    )
    def test_what_is(self, latex):
        check_mathematics(latex)

    @with_tex
    def test_every_command_is_known_to_latex(self, tmp_path):
        lines = [r"\documentclass{article}", r"\usepackage{amsmath}", r"\begin{document}"]
        lines += [rf"\ifdefined\{name}\else\typeout{{UNKNOWN {name}}}\fi" for name in sorted(COMMANDS - {"of"})]
        lines += [rf"\ifcsname {name}\endcsname\else\typeout{{UNKNOWN {name}}}\fi" for name in sorted(ENVIRONMENTS)]
        lines += [r"\end{document}"]
        assert unknown(tmp_path, lines) == []
        lines[1] = r"\usepackage{amsmath,amssymb}"
        lines[3:-1] = [rf"\ifdefined\{name}\else\typeout{{UNKNOWN {name}}}\fi" for name in sorted(COMMANDS_OF_AMSSYMB)]
        assert unknown(tmp_path, lines) == []


def unknown(folder, lines):
    (folder / "a.tex").write_text("\n".join(lines))
    done = subprocess.run(["xelatex", "-interaction=nonstopmode", "a.tex"], cwd=folder, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if "UNKNOWN" in line]


def test_letters_that_only_mathematics_has():
    assert text_latex("10⁻⁶ & α ≤ x₁²") == r"10$^{-6}$ \& $\alpha$ $\leq$ x$_{1}$$^{2}$"
    assert formula_latex(r"αx ≤ 2²·3 − \text{if ≠ 10⁶}") == r"\alpha x \leq  2^{2}\cdot 3 - \text{if $\neq$ 10$^{6}$}"


def test_headings_of_every_rank():
    title, body = latex_body("# One\n\n# Two\n\n##### five\n\n###### six\n", "a")
    assert title == "One"
    assert body.splitlines()[::2] == [r"\section{Two}\label{a:two}", r"\paragraph{five}\label{a:five}", r"\subparagraph{six}\label{a:six}"]


def test_a_bracket_is_no_argument():
    _, body = latex_body("a\\\n[b]\n\n- [n] c\n- \\* d\n\n| [e] | f |\n| --- | --- |\n| [1] | 2 |\n")
    for text in ("\\\\\n{}[b]", r"\item {}[n] c", r"\item {}* d", "\\toprule\n{}[e]", "\\midrule\n{}[1]"):
        assert text in body


def test_labels_are_plain():
    assert r"\label{my-notes--:x}" in latex_body("## x\n", "my notes%#")[1]
    assert r"\see{my-notes:a-b}{x}" in latex_body("[x](<my notes.md#a%25b>)\n")[1]


@pytest.fixture
def fill(tmp_path, monkeypatch):
    """Fill a template that holds a text, from line 3 on."""
    monkeypatch.chdir(tmp_path)

    def run(text, output):
        (tmp_path / "my 50% #.md.j2").write_text(f"# T α⁶\n\n{text}\n")
        return CliRunner().invoke(main, ["fill", "my 50% #.md.j2", "-o", output])

    return run


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\n\n$$\nb\n\\input{/etc/passwd}\n$$", r"line 7: a formula for LaTeX may hold mathematics alone, not \input"),
        ("- # x", "line 3: a heading may not stand in a list"),
    ],
)
@pytest.mark.parametrize("suffix", ["tex", "pdf"])
def test_what_is_refused_has_its_line(fill, text, words, suffix, tmp_path):
    result = fill(text, f"my notes.{suffix}")
    assert result.exit_code == 2 and result.stderr.startswith(f"derive: my 50% #.md.j2, {words}") and result.stderr.count("\n") == 1
    assert len(list(tmp_path.iterdir())) == 1


@with_tex
class TestPdf:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("a 中", "line 3: the fonts of the PDF have no '中' (U+4E2D)"),
            ("```\nα\n```", "line 4: the fonts of the PDF have no 'α' (U+03B1)"),
            ("$\\left( x$", r"line 3: xelatex: Missing \right. inserted."),
        ],
    )
    def test_what_xelatex_refuses_has_its_line(self, fill, text, words):
        result = fill(text, "notes.pdf")
        assert result.exit_code == 2 and result.stderr == f"derive: my 50% #.md.j2, {words}\n"

    def test_what_authors_write(self, fill, tmp_path):
        text = (
            "## α⁶ ≈ β ≠ γ₁ in a heading\n\n| [n] ⁶ | `α` |\n| --- | --- |\n| [1] | *x* |\n| [2] | \\* |\n\na\\\n[2cm] b\n\n"
            "- [n] shape\n\n##### five\n\n$$\na ≤ 2² \\in \\mathbb{R}\n\n× 3\n$$\n\n[l](http://example.org/a?q=1&b=%20#y_z)\n"
        )
        result = fill(text, "my notes 50% #.pdf")
        assert result.exit_code == 0, result.stderr
        if shutil.which("pdftotext"):
            done = subprocess.run(["pdftotext", "my notes 50% #.pdf", "-"], cwd=tmp_path, capture_output=True, text=True, check=True)
            assert all(words in done.stdout for words in ("[n]", "[1]", "[2]", "[2cm] b", "shape"))

    def test_no_file_outside_is_read(self):
        """Should a command get through, XeLaTeX still opens files of its own folder alone."""
        text = rb"\documentclass{article}\begin{document}\input{/etc/passwd}\end{document}"
        with pytest.raises(ChapterError, match="xelatex: "):
            pdf.compiled("notes", {"notes.tex": text})

    def test_no_document_is_endless(self, monkeypatch):
        monkeypatch.setattr(pdf, "SECONDS", 1)
        text = rb"\documentclass{article}\begin{document}\def\x{\x}\x\end{document}"
        with pytest.raises(ChapterError, match=r"notes.tex: xelatex did not finish in 1 s"):
            pdf.compiled("notes", {"notes.tex": text})
