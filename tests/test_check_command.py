"""`derive check` and `derive explain` as a user runs them; what reads documents and what judges equations is played here."""

import json
import multiprocessing
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner
from click.utils import strip_ansi
from rich.cells import cell_len

from derive.checker.codes import BY_CODE, CODES
from derive.checker.finding import VERDICTS, Checked, Finding, Letter
from derive.checker.instructions.directives import directives_of
from derive.checker.instructions.settings import Settings, SettingsError, letters_of, meaning_of, read_settings
from derive.checker.instructions.suppression import suppressed
from derive.checker.output import github, layout, sarif, text
from derive.checker.output import json as as_json
from derive.cli import main
from derive.commands.progress import watched
from derive.documents.document import Block, Comment, Document, Piece

EQUATION = re.compile(r"([\w.·²^]+) (=|≈) ([\w.·²^]+)")
COMMENT = re.compile("<!--(.*?)-->", re.DOTALL)
WRONG = "Then\n\n12 = 13\n\nand 7 = 7\n"


def finding(line=1, column=1, end_column=None, verdict="wrong", code="number", **more):
    stated = {"text": "12 = 13", "reads_as": "12 = 13", "relation": "=", "message": "the left side is 12", **more}
    stated.setdefault("end_line", line)
    return Finding(line=line, column=column, end_column=end_column or column + len(stated["text"]), verdict=verdict, code=code, **stated)


def played_document(source, name="notes.md", form="md"):
    """A document whose paragraphs are text."""
    hidden = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)
    paragraphs = re.finditer(r"(?:[^\n]*\S[^\n]*(?:\n|$))+", hidden)
    blocks = [Block("text", (Piece("words", each[0], range(each.start(), each.end() + 1)),)) for each in paragraphs]
    comments = [Comment(each[1].strip(), each.start()) for each in COMMENT.finditer(source)]
    return Document(name, source, tuple(blocks), tuple(comments))


def played_check(document, letters):
    """Two words joined by `=` are right where they are the same."""
    found = []
    for block in document.blocks:
        for piece in block.pieces:
            for match in EQUATION.finditer(piece.text):
                line, column = document.place(piece.offsets[match.start()])
                same = match[1] == match[3]
                verdict, code = (
                    ("exact", "equal-numbers") if same else ("wrong", "number") if match[2] == "=" else ("approximation", "near")
                )
                found.append(finding(line, column, verdict=verdict, code=code, text=match[0], reads_as=match[0], right=match[1]))
    return Checked(document.name, document.source, tuple(found), tuple(Letter(*item, "--let") for item in letters.items()))


@pytest.fixture
def played(monkeypatch, tmp_path):
    """The played modules in the place of the real ones, and a working folder."""
    judging, reading = ModuleType("derive.checker.judging"), ModuleType("derive.documents.reading")
    judging.judged = played_check
    reading.document_of = played_document
    reading.read_documents = lambda path: (played_document(path.read_text(encoding="utf-8"), str(path)),)
    monkeypatch.setitem(sys.modules, judging.__name__, judging)
    monkeypatch.setitem(sys.modules, reading.__name__, reading)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(played):
    def run(*arguments, columns=80, **options):
        return CliRunner().invoke(main, ["check", *arguments], env={"COLUMNS": str(columns), **options.pop("env", {})}, **options)

    return run


def files(folder, **contents):
    for name, content in contents.items():
        path = folder / name.replace("__", "/").replace("_md", ".md").replace("_tex", ".tex").replace("_toml", ".toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def refuses(result, *words):
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("derive: ") and result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


class TestExit:
    def test_something_wrong(self, run, played):
        files(played, a_md=WRONG)
        result = run("a.md")
        assert result.exit_code == 1
        assert "a.md:3:1  wrong" in result.stdout and result.stdout.endswith(
            "1 file, 2 equations: 1 exact, 1 wrong (-a shows every finding)\n"
        )

    def test_nothing_wrong(self, run, played):
        files(played, a_md="7 = 7\n")
        assert run("a.md", "-q").stdout == "1 file, 1 equation: 1 exact\n"
        assert run("a.md").exit_code == 0

    def test_no_equation(self, run, played):
        files(played, a_md="words\n")
        assert run("a.md").stdout == "1 file, no equations\n"

    def test_no_arguments(self, run):
        refuses(run(), "nothing to check", "check --help'")

    def test_nothing_is_lost_where_a_file_cannot_be_read(self, run, played):
        files(played, a_md=WRONG, b_md="7 = 7\n")
        (played / "c.md").write_bytes(b"")
        result = run("a.md", "nowhere.md", "b.md")
        assert result.exit_code == 2
        assert result.stderr == "derive: nowhere.md: no such file\n"
        assert "a.md:3:1  wrong" in result.stdout and "2 files, 3 equations" in result.stdout

    def test_an_empty_folder(self, run, played):
        (played / "empty").mkdir()
        result = run("empty")
        assert result.exit_code == 2 and "empty: no documents in this folder (*.md, " in result.stderr

    def test_standard_input(self, run):
        result = run("-", input=WRONG)
        assert result.exit_code == 1 and "-:3:1  wrong" in result.stdout

    def test_broken_pipe(self, played):
        script = (
            "import sys; sys.path.insert(0, {tests!r}); import test_check_command as t\n"
            "from types import SimpleNamespace as N\n"
            "sys.modules['derive.checker.judging'] = N(judged=t.played_check)\n"
            "sys.modules['derive.documents.reading'] = N(read_documents=lambda path: (t.played_document(path.read_text(), str(path)),))\n"
            "from derive.cli import main; main(['check', '-a', 'a.md', 'b.md'])"
        )
        files(played, a_md="12 = 13\n\n" * 3000, b_md=WRONG)
        command = f'{sys.executable} -c "$SCRIPT" | head -n 1'
        environment = {**os.environ, "SCRIPT": script.format(tests=str(Path(__file__).parent))}
        done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment)
        assert (done.stdout.count("\n"), done.stderr) == (1, "")

    def test_interrupted(self, run, monkeypatch):
        def stop(tasks, jobs):
            raise KeyboardInterrupt
            yield

        monkeypatch.setattr("derive.checker.files.run", stop)
        refuses(run("-e", "1 = 1"), "interrupted")

    def test_nested_too_deeply(self, run, monkeypatch):
        def sink(document, settings):
            raise RecursionError

        monkeypatch.setattr(sys.modules["derive.checker.judging"], "judged", sink)
        result = run("-e", "1 = 1")
        assert result.exit_code == 2 and result.stderr == "derive: -e: nested too deeply, or too large, to be checked\n"

    def test_it_is_cheap_to_name_the_command(self):
        script = "import sys; from derive.cli import main\nmain(['--help'], standalone_mode=False)\nprint('\\0' + ' '.join(sys.modules))"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        loaded = done.stdout.rpartition("\0")[2].split()
        assert "check " in done.stdout and "explain " in done.stdout
        assert not [
            name
            for name in loaded
            if name.split(".")[0] in ("rich", "sympy", "tomllib", "json", "concurrent") or name.startswith("derive.checker")
        ]


class TestFormula:
    def test_each_is_a_document(self, run):
        result = run("-e", "12 = 13", "-e", "7 = 7")
        assert result.exit_code == 1
        assert "-e:1:1  wrong" in result.stdout and "-e:1:1  exact" in result.stdout  # what is typed is shown, right or wrong
        assert result.stdout.endswith("2 formulas, 2 equations: 1 exact, 1 wrong\n")

    def test_as_json(self, run):
        assert json.loads(run("-e", "7 = 7", "--format", "json").stdout)["files"][0]["summary"] == {"exact": 1}


class TestText:
    def test_a_finding_in_full(self):
        full = finding(
            3, 5, verdict="exact-under", code="equal-under", text="P = 4d²", reads_as="P_attn = 4d²", right="2d² + 2d·d_kv", residual="2d(d - d_kv)",
            assumptions=("d_kv = d", "no bias"), dropped=("2d", "d"), relative_error=Fraction(1, 30), message="equal with as many key/value heads",
        )  # fmt: skip
        shown = "\n".join(text.written([Checked("a.md", "\n\nso, P = 4d² is\n", (full,))], text.View(100, every=True)))
        assert shown.split("\n") == [
            "a.md:3:5  exact-under  equal with as many key/value heads [equal-under]",
            "    so, P = 4d² is",
            "        ^~~~~~~",
            "    read as   P_attn = 4d²",
            "    right     2d² + 2d·d_kv",
            "    residual  2d(d - d_kv)",
            "    under     d_kv = d, no bias",
            "    drops     2d, d",
            "    error     3.33 %",
            "",
            "1 file, 1 equation: 1 exact-under",
        ]

    def test_what_is_not_wrong_is_only_counted(self, run, played):
        files(played, a_md="1 = 1\n\n12 ≈ 13\n")
        assert run("a.md").stdout == "1 file, 2 equations: 1 exact, 1 approximation (-a shows every finding)\n"
        assert "a.md:3:1  approximation" in run("a.md", "-a").stdout

    @pytest.mark.parametrize("columns", [40, 80, 200])
    @pytest.mark.parametrize("source", ["12 = 13", "x " * 200 + "12 = 13" + " y" * 200, "模型参数" * 60 + " 12 = 13 " + "然后" * 60])
    def test_it_fits_the_window(self, run, played, columns, source):
        files(played, notes_md=source)
        output = run("notes.md", columns=columns).stdout
        assert max(map(cell_len, output.splitlines())) <= columns
        shown, carets = next(pair for pair in zip(output.splitlines(), output.splitlines()[1:], strict=False) if "^" in pair[1])
        at = cell_len(shown[: shown.index("12 = 13")])
        assert carets == " " * at + "^~~~~~~"

    @pytest.mark.parametrize("columns", [40, 80, 200])
    def test_a_span_wider_than_the_window(self, columns):
        source = "令 " + "参数 + " * 100 + "= 13"
        wide = finding(1, 3, len(source) + 1, text=source[2:], reads_as=source[2:], message="它们不相等，差的是很多很多的参数。" * 5)
        lines = "\n".join(text.written([Checked("notes.md", source, (wide,))], text.View(columns))).split("\n")
        assert max(map(cell_len, lines)) <= columns
        assert any(re.fullmatch(" +^~+".replace("^", r"\^"), line) and cell_len(line) >= columns - 4 for line in lines)

    def test_a_caret_under_wide_letters(self):
        line, column, width = layout.excerpt("参数量 = 13", 0, 3, 80)
        assert (line, column, width) == ("参数量 = 13", 0, 6)
        line, column, width = layout.excerpt("\t参数：\x1b[31m12", 9, 11, 80)
        assert (line, column, width) == (" 参数：�[31m12", 12, 2)

    @pytest.mark.parametrize("start", [0, 1, 40, 500, 998, 1000, 2000])
    @pytest.mark.parametrize("width", [10, 36, 76, 196])
    @pytest.mark.parametrize("letter", ["x", "参"])
    def test_the_excerpt_holds_the_place(self, start, width, letter):
        line, column, marked = layout.excerpt(letter * 1000, start, start + 4, width)
        assert cell_len(line) <= width and marked >= 1
        assert column + marked <= max(cell_len(line), column + 1) <= width + 1

    def test_a_span_of_several_lines(self):
        several = finding(1, 4, 3, end_line=2, text="a\n= b")
        assert "    x  a + b\n       ^~~~~" in "\n".join(text.written([Checked("a.md", "x  a + b  \n= c", (several,))], text.View()))

    def test_a_line_of_ten_megabytes(self):
        source = "x" * 5_000_000 + "12 = 13" + "y" * 5_000_000
        far = finding(1, 5_000_001)
        assert "…" + "x" * 10 in next(text.written([Checked("a.md", source, (far,))], text.View()))

    def test_long_readings_are_cut(self):
        long = finding(reads_as="a + " * 5000, message="no")
        assert next(text.written([Checked("a.md", "12 = 13", (long,))], text.View(40))).count("\n") < 12

    @pytest.mark.parametrize(
        ("arguments", "environment", "coloured"),
        [
            ((), {}, False),
            (("--color", "always"), {}, True),
            (("--color", "always"), {"NO_COLOR": "1"}, True),
            (("--color", "never"), {}, False),
        ],
    )
    def test_colour(self, run, played, arguments, environment, coloured):
        files(played, a_md=WRONG)
        output = run("a.md", *arguments, env=environment).stdout
        assert ("\x1b[" in output) == coloured
        assert strip_ansi(output) == run("a.md").stdout

    def test_hostile_text_and_names(self):
        hostile = finding(message="\x1b[31m\nbad\x00", reads_as="\x07")
        shown = "\n".join(text.written([Checked("a\nb\x1b.md", "\x1b]0;x\x07\x00", (hostile,))], text.View()))
        assert not set("\x1b\x07\x00\r") & set(shown)

    @pytest.mark.parametrize("columns", [40, 80])
    def test_the_glossary(self, columns):
        letters = (
            Letter("h", "hidden size: the width of the residual stream", "“where h is the hidden size”"),
            Letter("参数量", "P_total", "--let"),
        )
        shown = next(text.written([Checked("a.md", "", (), letters)], text.View(columns, glossary=True)))
        assert "    h       hidden size" in shown and "    参数量  P_total" in shown
        assert max(map(cell_len, shown.splitlines())) <= columns

    def test_summary(self, run, played):
        files(played, a_md="1 = 1\n", b_md="<!-- derive: ignore nothing -->\n\n1 = 2\n\n<!-- derive: ignore number: quoted -->\n\n1 = 3\n")
        assert run("a.md", "b.md", "-q").stdout == "2 files, 2 equations: 1 exact, 1 wrong; 1 ignored; 1 comment to correct\n"


class TestJson:
    def test_the_schema(self, run, played):
        files(played, a_md=WRONG)
        (only,) = json.loads(run("a.md", "--format", "json", "--let", "h=hidden_size").stdout)["files"]
        assert list(only) == ["file", "glossary", "summary", "findings"]
        assert only["file"] == "a.md" and only["summary"] == {"exact": 1, "wrong": 1}
        assert only["glossary"] == [{"name": "h", "meaning": "d", "why": "--let"}]
        names = "line column end_line text reads_as relation verdict code stated right residual assumptions dropped relative_error message"
        assert [list(each) for each in only["findings"]] == [names.split()] * 2
        assert only["findings"][0]["line"] == 3 and only["findings"][0]["relative_error"] is None

    @pytest.mark.parametrize(("error", "number"), [(Fraction(1, 3), 1 / 3), (Fraction(10**400), None), (None, None), (Fraction(0), 0.0)])
    def test_relative_errors(self, error, number):
        assert as_json.as_number(error) == number

    @pytest.mark.parametrize("content", ["\x00\x1b\u2028", "\ud800", '"\\', "参数 🤖"])
    def test_every_content(self, content):
        answer = "".join(as_json.written([Checked(content, content, (finding(text=content, message=content),))]))
        assert json.loads(answer.encode())["files"][0]["findings"][0]["text"] == content.replace("\ud800", "�")

    def test_output_to_a_file(self, run, played):
        files(played, a_md=WRONG)
        result = run("a.md", "--format", "json", "--output", "out.json")
        assert (result.exit_code, result.stdout) == (1, "")
        assert json.loads((played / "out.json").read_text())["files"][0]["file"] == "a.md"
        refuses(run("a.md", "--output", "nowhere/out.txt"), "nowhere/out.txt: cannot write")


class TestSarif:
    def test_the_log(self, run, played):
        files(played, **{"docs__a b_md": "12 = 13\n\n7 = 7\n\n8 ≈ 9\n"})
        log = json.loads(run("docs", "--format", "sarif").stdout)
        (only,) = log["runs"]
        assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"] and only["columnKind"] == "unicodeCodePoints"
        wrong, near = only["results"]
        assert (wrong["level"], near["level"]) == ("error", "note")
        place = wrong["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "docs/a%20b.md"}
        assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 8}
        rules = only["tool"]["driver"]["rules"]
        assert [rules[result["ruleIndex"]]["id"] for result in only["results"]] == ["number", "near"]
        assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)
        assert {rule["defaultConfiguration"]["level"] for rule in rules} == {"error", "warning", "note", "none"}

    def test_addresses(self, played):
        assert sarif.uri("./docs/a.md") == "docs/a.md" and sarif.uri(str(played / "b.md")) == "b.md"
        assert sarif.uri("../c.md").startswith("file:///") and sarif.uri("参.md") == "%E5%8F%82.md"


class TestGithub:
    def test_escaping(self):
        odd = finding(7, 2, message="50% of a:b,\r\nnext", right="12")
        assert github.annotation(odd, "a:b,c%.md", "error") == (
            "::error file=a%3Ab%2Cc%25.md,line=7,col=2,endLine=7,endColumn=9,title=wrong%3A number::50%25 of a:b,%0D%0Anext%0Aright: 12"
        )

    def test_the_output(self, run, played):
        files(played, a_md="12 = 13\n\n8 ≈ 9\n")
        lines = run("a.md", "--format", "github").stdout.splitlines()
        assert [line.partition(" ")[0] for line in lines] == ["::error", "1"]
        assert [line.partition(" ")[0] for line in run("a.md", "--format", "github", "-a").stdout.splitlines()] == [
            "::error",
            "::notice",
            "1",
        ]


def after_comments(source, settings=None):
    document = played_document(source)
    settings = settings or Settings()
    directives = directives_of(document)
    return suppressed(played_check(document, settings.letters), directives, settings, document)


def codes(checked):
    return [each.code for each in checked.findings]


class TestComments:
    @pytest.mark.parametrize(
        "source",
        [
            "1 = 2 <!-- derive: ignore number: quoted -->\n\n5 = 6\n",
            "<!-- derive: ignore number: quoted -->\n\nwords\n1 = 2\n\n5 = 6\n",
            "<!-- derive: ignore number, near: quoted -->\n1 = 2, 1 ≈ 2\n\n5 = 6\n",
            "words\n<!-- derive: ignore number: quoted -->\n1 = 2\n\n5 = 6\n",
            "<!-- derive: ignore-next-line number: quoted -->\n1 = 2\n5 = 6\n",
            "<!--\n  derive: ignore\n  number: quoted -->\n\n1 = 2\n\n5 = 6\n",
            "<!-- derive：ignore number：引自原文 -->\n\n1 = 2\n\n5 = 6\n",
            "<!-- derive: off -->\n1 = 2\n\n3 = 4\n<!-- derive: on -->\n5 = 6\n",
        ],
    )  # fmt: skip
    def test_ignored(self, source):
        checked = after_comments(source)
        assert [(each.code, each.text) for each in checked.findings] == [("number", "5 = 6")]
        assert checked.ignored in (1, 2)

    def test_off_to_the_end(self):
        checked = after_comments("5 = 6\n\n<!-- derive: off -->\n\n1 = 2\n\n3 = 4")
        assert codes(checked) == ["number"] and checked.ignored == 2

    @pytest.mark.parametrize(
        ("comment", "words"),
        [
            ("ignore number", "gives no reason; write 'derive: ignore number: reason'"), ("ignore number:  ", "gives no reason"),
            ("ignore", "names no code"), ("ignore nmber: because", "did you mean number"), ("ignroe number: x", "did you mean ignore?"),
            ("on", "checking is on already"), ("let h", "expected LETTER=MEANING"), ("let h=hiden_size", "did you mean hidden_size"),
            ("let h=d, h=m", "two meanings"), ("", "unknown instruction"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_followed_is_told(self, comment, words):
        checked = after_comments(f"1 = 2\n\n<!-- derive: {comment} -->\n\n3 = 4\n")
        assert codes(checked) == ["number", "bad-comment", "number"] and checked.ignored == 0
        bad = checked.findings[1]
        assert words in bad.message and (bad.line, bad.column, bad.verdict) == (3, 1, "unchecked")

    def test_too_many(self):
        checked = after_comments("<!-- derive: ignore number: x --> 1 = 2\n" * 1500)
        assert codes(checked)[0] == "bad-comment" and len(checked.findings) == 501 and checked.ignored == 1000

    def test_stale(self):
        checked = after_comments("<!-- derive: ignore number, near: quoted -->\n\n1 = 2\n\n3 = 4\n")
        assert codes(checked) == ["stale-ignore", "number"] and checked.ignored == 1
        assert "'near' in line 3" in checked.findings[0].message

    def test_other_comments(self):
        assert codes(after_comments("<!-- derived from the paper -->\n\n<!-- we derive: it -->\n\n1 = 2\n")) == ["number"]

    def test_letters(self):
        document = played_document(
            "<!-- derive: let h=hidden_size, N=P_total -->\n<!--\nderive: let m=d_ff\nderive: ignore number: x\n-->\n1 = 2\n"
        )
        directives = directives_of(document)
        assert directives.letters == {"h": "d", "N": "P_total", "m": "m"} and not directives.malformed
        settings = Settings({"h": "h"}).over(Settings({"N": "P_attn", "k": "k"})).in_document(directives.letters)
        assert settings.letters == {"h": "h", "N": "P_total", "k": "k", "m": "m"}  # command line, document, pyproject.toml

    def test_settings_ignore_silently(self):
        checked = after_comments("1 = 2\n\n3 ≈ 4\n", Settings(ignored=frozenset({"number"})))
        assert codes(checked) == ["near"] and checked.ignored == 1

    @pytest.mark.parametrize(
        "source", ["% derive: ignore number: x\n$$\n1 = 2\n$$\n\n5 = 6", "$$\n% derive: ignore number: x\n1 = 2\n$$\n\n5 = 6"]
    )
    def test_line_comments(self, source):
        at = source.index("%")
        start = source.index("$$") + 3
        display = Block("display", (Piece("math", source[start : source.rindex("$$")], range(start, source.rindex("$$") + 1)),))
        after = Block("text", (Piece("words", "5 = 6", range(len(source) - 5, len(source) + 1)),))
        document = Document("a.tex", source, (display, after), (Comment("derive: ignore number: x", at),))
        checked = suppressed(played_check(document, {}), directives_of(document), Settings(), document)
        assert [each.text for each in checked.findings] == ["5 = 6"]


class TestSettings:
    @pytest.mark.parametrize(
        ("word", "name"), [("hidden_size", "d"), ("d", "d"), ("P_total", "P_total"), ("p_attn", "P_attn"), ("first_k_dense_replace", "L_D")]
    )
    def test_meanings(self, word, name):
        assert meaning_of(word) == name

    def test_an_unknown_meaning_lists_near_ones(self):
        with pytest.raises(SettingsError, match="unknown meaning 'hidden_sise'; did you mean hidden_size"):
            meaning_of("hidden_sise")

    def test_letters(self):
        assert letters_of(r"h=hidden_size, d_{\rm ff} = m，N=P_total") == {"h": "d", "d_ff": "m", "N": "P_total"}

    def test_of_the_nearest_pyproject(self, run, played):
        files(played, pyproject_toml='[tool.derive.check]\nlet = {h = "hidden_size"}\nignore = ["near"]\nexclude = ["drafts"]\n')
        files(played, sub__pyproject_toml="[project]\nname = 'other'\n", sub__a_md="1 ≈ 2\n", drafts__b_md=WRONG, own__c_md=WRONG)
        files(played, own__pyproject_toml="[tool.derive.check]\nignore = ['number']\n")
        result = run(".", "--format", "json")
        found = json.loads(result.stdout)["files"]
        assert [(each["file"], codes_of(each)) for each in found] == [("own/c.md", ["equal-numbers"]), ("sub/a.md", [])]
        assert found[0]["glossary"] == [] and found[1]["glossary"][0]["meaning"] == "d"
        named = run("drafts/b.md")
        assert named.exit_code == 0 and named.stderr == "derive: drafts/b.md: excluded by pyproject.toml\n"

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("[tool.derive.check]\nexclud = []", "unknown key 'exclud'; did you mean exclude?"),
            ("[tool.derive.check]\nignore = 'number'", "'ignore' must be a list of strings"),
            ("[tool.derive.check]\nignore = ['nmber']", "unknown code 'nmber'; did you mean number"),
            ("[tool.derive.check]\nlet = {h = 3}", "'let' must be a table of names"),
            ("[tool.derive.check]\nlet = {h = 'hidden'}", "unknown meaning 'hidden'"),
            ("[tool.derive.check]\nexclude = [1]", "'exclude' must be a list of strings"),
            ("[tool.derive]\ncheck = 1", "must be a table"),
            ("[tool", "not TOML"),
        ],
    )
    def test_what_is_wrong_with_a_file(self, run, played, content, words):
        files(played, pyproject_toml=content, a_md="1 = 1")
        refuses(run("a.md"), "pyproject.toml", words)

    def test_a_missing_file(self, tmp_path):
        assert read_settings(tmp_path / "pyproject.toml") is None

    @pytest.mark.parametrize(
        ("pattern", "excluded"),
        [("a.md", True), ("*.md", True), ("x", True), ("x/y", True), ("x/*.md", False), ("x/**/*.md", True), ("**/y/a.md", True), ("y/a.md", False), ("./x/y/", True), ("*.tex", False)],
    )  # fmt: skip
    def test_globs(self, pattern, excluded):
        assert Settings(excluded=(pattern,), folder=Path("/w")).excludes(Path("/w/x/y/a.md")) == excluded

    def test_let(self, run):
        refuses(run("-e", "1 = 1", "--let", "h=hiden_size"), "--let: unknown meaning 'hiden_size'; did you mean hidden_size")
        refuses(run("-e", "1 = 1", "--let", "h"), "--let: expected LETTER=MEANING")


def codes_of(file):
    return [each["code"] for each in file["findings"]]


class TestFiles:
    def test_what_a_folder_holds(self, run, played):
        names = "b.md a.tex c.ipynb d.rst e.txt f.py .git/g.md .hidden.md node_modules/h.md venv/i.md sub/j.md requirements.txt sub/K.MD"
        for name in names.split():
            (played / name).parent.mkdir(exist_ok=True)
            (played / name).write_text("1 = 1")
        (played / "venv" / "pyvenv.cfg").write_text("")
        found = [each["file"] for each in json.loads(run(".", "b.md", "./b.md", "--format", "json").stdout)["files"]]
        assert found == ["a.tex", "b.md", "c.ipynb", "d.rst", "e.txt", "sub/K.MD", "sub/j.md"]

    def test_order(self, run, played):
        files(played, b_md="1 = 1", a_md="2 = 2")
        found = [
            each["file"]
            for each in json.loads(run("b.md", "-", "a.md", "-", "b.md", "-e", "3 = 3", "--format", "json", input="").stdout)["files"]
        ]
        assert found == ["-e", "b.md", "-", "a.md"]

    @pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="the played modules are not in a new process")
    def test_several_at_once_find_the_same(self, run, played):
        for at in range(40):
            (played / f"{at:02}.md").write_text("12 = 13\n\n7 = 7\n" * (at % 5))
        (played / "20.md").unlink()
        (played / "20.md").symlink_to("nowhere")
        alone = run(".", "--format", "json")
        for jobs in ("2", "0"):
            several = run(".", "--format", "json", "-j", jobs)
            assert (several.stdout, several.stderr, several.exit_code) == (alone.stdout, alone.stderr, 2)
        assert alone.stderr == "derive: 20.md: no such file\n" and len(json.loads(alone.stdout)["files"]) == 39

    def test_progress(self, monkeypatch, capsys):
        monkeypatch.setattr("derive.commands.progress.PATIENCE", -1)
        assert list(watched(iter("abc"), 3)) == ["a", "b", "c"]
        assert capsys.readouterr().out == ""


class TestExplain:
    @pytest.mark.parametrize("code", BY_CODE)
    @pytest.mark.parametrize("columns", [40, 80])
    def test_a_code(self, code, columns):
        result = CliRunner().invoke(main, ["explain", code], env={"COLUMNS": str(columns)})
        assert result.exit_code == 0 and result.stdout.startswith(f"{code} (")
        assert max(map(cell_len, result.stdout.splitlines())) <= columns

    def test_all(self):
        output = CliRunner().invoke(main, ["explain"], env={"COLUMNS": "60"}).stdout
        assert all(re.search(rf"^  {code.name} ", output, re.MULTILINE) for code in CODES)
        assert max(map(cell_len, output.splitlines())) <= 60

    def test_an_unknown_one(self):
        refuses(CliRunner().invoke(main, ["explain", "unitt"]), "did you mean unit")


class TestDocumentation:
    PAGE = (Path(__file__).parents[1] / "docs" / "check.md").read_text(encoding="utf-8")

    def test_every_code_has_its_row(self):
        rows = re.findall(r"^\| `([a-z-]+)` \| ([a-z-]+) \| (.*) \| `(.*)` \|$", self.PAGE, re.MULTILINE)
        assert rows == [(code.name, code.verdict, code.meaning, code.example.replace("|", r"\|")) for code in CODES]

    def test_every_option_is_described(self):
        for parameter in main.commands["check"].params:
            assert any(f"`{name}" in self.PAGE for name in parameter.opts) or parameter.name == "paths"

    def test_every_verdict_is_described(self):
        assert all(f"`{verdict}`" in self.PAGE for verdict in VERDICTS)

    def test_the_hook(self):
        hook = (Path(__file__).parents[1] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
        assert "id: derive-check" in hook and "entry: derive check" in hook
        pattern = re.compile(re.search(r"files: '(.*)'", hook)[1])
        assert all(pattern.search(f"docs/a.{suffix}") for suffix in ("md", "tex", "ipynb", "rst", "txt")) and not pattern.search("a.py")
