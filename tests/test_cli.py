"""The command line, run as a user runs it."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from derive.cli import main


@pytest.fixture
def run():
    def run(*arguments, **options):
        return CliRunner().invoke(main, arguments, **options)

    return run


def fails(result, *words):
    """One clear line on standard error, exit code 2, no traceback."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("derive: ") and result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


class TestCount:
    def test_a_model(self, run):
        result = run("count", "Llama-3-8B", env={"COLUMNS": "120"})
        assert result.exit_code == 0
        assert "attention        L(2d² + 2d·d_kv)  32(2·4096² + 2·4096·1024)  1,342,177,280   16.71 %" in result.output
        assert "P_total = L(2d² + 2d·d_kv + 3dm + 2d) + d + cVd" in result.output
        assert "8,030,261,248" in result.output

    @pytest.mark.parametrize("columns", [60, 80, 120])
    @pytest.mark.parametrize("model", ["gpt-2-small", "deepseek-v3", "mixtral-8x7b"])
    def test_it_fits_the_window(self, run, model, columns):
        output = run("count", model, env={"COLUMNS": str(columns)}).output
        assert max(map(len, output.splitlines())) <= columns

    def test_json(self, run, config):
        result = run("count", "-", "--json", input=json.dumps(config))
        answer = json.loads(result.output)
        assert answer["parameters"]["total"] == 3 * (64 * 64 * 2 + 2 * 64 * 32 + 3 * 64 * 160 + 2 * 64) + 64 + 2 * 100 * 64
        assert answer["family"] == "llama" and answer["model"] == "standard input"

    def test_a_file_and_a_folder(self, run, config, tmp_path):
        (tmp_path / "config.json").write_text(json.dumps(config))
        folder, file = run("count", str(tmp_path)).output, run("count", str(tmp_path / "config.json")).output
        assert folder.splitlines()[1:] == file.splitlines()[1:]

    @pytest.mark.parametrize(
        ("content", "words"),
        [("{", "not JSON"), ("[]", "expected a JSON object"), ("{}", "model_type"), ('{"model_type": "llama"}', "missing L")],
    )
    def test_bad_files(self, run, tmp_path, content, words):
        path = tmp_path / "bad.json"
        path.write_text(content)
        fails(run("count", str(path)), words, "bad.json")

    def test_hostile_names(self, run, tmp_path):
        path = tmp_path / "bad.json"
        path.write_text('{"model_type": "a\\nb\\u001b[31m\\ud800"}')
        result = run("count", str(path))
        fails(result, "unknown model_type")
        assert "\x1b" not in result.stderr

    @pytest.mark.parametrize("encoding", ["gbk", "cp1252", "ascii"])
    def test_a_terminal_that_cannot_show_everything(self, encoding):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        done = subprocess.run([sys.executable, "-m", "derive", "count", "LLaMA-7B"], capture_output=True, env=environment, check=True)
        assert b"6,738,415,616" in done.stdout

    def test_a_missing_file(self, run):
        fails(run("count", "nowhere/config.json"), "nowhere/config.json: no such file")
        fails(run("count", "no-such-model"), "derive models")


class TestUsage:
    def test_the_figures(self, run):
        output = run("count", "Llama-3-8B", "--context", "8192", "--train", "mixed", "--lora", "16:q,v", env={"COLUMNS": "100"}).output
        for words in ("1.074 GB = 1.000 GiB", "forward per token", "2 weights + 2 gradients + 4 master weights", "trainable"):
            assert words in output

    def test_json(self, run):
        result = run("count", "Mixtral-8x7B", "--json", "--context", "4096", "--batch", "2", "--dtype", "fp16", "--cache-dtype", "fp8")
        answer = json.loads(result.output)
        assert answer["kv_cache"]["elements_per_token"] == answer["kv_cache"]["bytes_per_token"] == 65_536
        assert answer["kv_cache"]["bytes"] == 2 * 4096 * 65_536
        assert answer["memory"]["weights"] == 2 * 46_702_792_704
        assert {"forward_per_token", "prefill", "decode", "train_per_token"} <= set(answer["flops"])
        for section in ("flops", "kv_cache", "memory", "experts"):
            figures = set(answer[section]) - {"conventions", "units", "rounded"}
            assert figures == set(answer[section]["conventions"]) == set(answer[section]["units"])

    def test_the_count_alone_has_no_such_sections(self, run):
        assert not {"flops", "kv_cache", "memory"} & set(json.loads(run("count", "LLaMA-7B", "--json").output))

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("--dtype", "fp3"), "unknown dtype 'fp3'"), (("--context", "0"), "at least 1 token"), (("--context", "1025"), "1024 learned positions"),
            (("--batch", "-2"), "at least 1 sequence"), (("--lora", "8:nothing"), "no projection 'nothing'"), (("--train", "x"), "unknown training scheme"),
            (("--context", "many"), "not a valid integer"), (("--train", "mixed", "--zero", "5"), "ZeRO has stages"), (("--nothing",), "No such option"),
        ],
    )  # fmt: skip
    def test_bad_requests(self, run, arguments, words):
        fails(run("count", "gpt-2-small", *arguments), words)

    @pytest.mark.parametrize("columns", [60, 80, 120])
    def test_it_fits_the_window(self, run, columns):
        output = run("count", "gemma-2-9b", "--context", "8192", "--train", "mixed", env={"COLUMNS": str(columns)}).output
        assert max(map(len, output.splitlines())) <= columns


class TestShow:
    def test_unicode(self, run):
        result = run("show", "p_total", "--given", "d_kv=d, m=8*d/3", env={"COLUMNS": "100"})
        assert result.output.splitlines()[2:] == [
            "P_total = L(P_attn + P_ffn + 2P_norm) + P_final + P_emb   the sum of the parts",
            "        = L(2d·d_q + 2d·d_kv + 3dm + 2d) + d + cVd        closed forms put in",
            "        → L(2d² + 2d·d_kv + 3dm + 2d) + d + cVd           with d_q = d",
            "        → L(12d² + 2d) + d + cVd                          with d_kv = d, m = 8d/3",
        ]

    def test_narrow(self, run):
        output = run("show", "P_total_mixed", env={"COLUMNS": "50"}).output
        assert max(map(len, output.splitlines())) <= 50

    def test_latex_and_markdown(self, run):
        latex = run("show", "P_attn", "--latex").output
        assert latex.startswith("\\[\n\\begin{aligned}\nP_{\\mathrm{attn}} &= d\\,d_q")
        markdown = run("show", "P_attn", "--markdown").output
        assert markdown.strip().startswith("$$\n\\begin{aligned}") and "\\," not in markdown

    def test_chinese(self, run):
        assert "合并同类项" in run("show", "P_attn", "--language", "zh").output

    def test_notes_go_to_standard_error(self, run):
        result = run("show", "P_ffn", "--given", "V=3")
        assert result.stderr == "note: V does not occur in P_ffn\n" and "note" not in result.stdout

    @pytest.mark.parametrize(
        "arguments",
        [
            ("P_nothing",), ("P_ffn", "--given", "q=d"), ("P_ffn", "--given", "m"), ("P_ffn", "--at", "m=d"), ("P_ffn", "--at", "no-model"),
            ("P_ffn", "--at", "d=9^9^9"), ("P_ffn", "--given", "m=(d+m)"), ("P_ffn", "--given", "m=10^5000"), ("P_ffn", "--given", ""),
            ("P_ffn", "--given", "m=d" + "/2" * 3000), ("P_ffn", "--at", "d=4 096,m=2"),
            ("P_total", "--at", "gpt-2-small"), ("P_total", "--at", "Llama-3-8B", "--given", "d_kv=d"), ("P_ffn", "--given", "m=-d"),
            ("P_active", "--given", "k=E+1"), ("P_active", "--at", "k=9", "--given", "E=4"), ("P_ffn", "--given", "d=4096", "--at", "d=5,m=3"),
        ],
    )  # fmt: skip
    def test_bad_input(self, run, arguments):
        fails(run("show", *arguments))


class TestLists:
    @pytest.mark.parametrize("language", [(), ("--language", "zh")])
    def test_symbols(self, run, language):
        output = run("symbols", *language, env={"COLUMNS": "160"}).output
        assert "d_kv" in output and ("隐藏维度" if language else "hidden size") in output

    def test_models(self, run):
        output = run("models", env={"COLUMNS": "160"}).output
        assert all(
            name in output for name in ("GPT-2 small", "GPT-3 175B", "LLaMA-7B", "Llama-2-70B", "Llama-3-8B", "Mixtral-8x7B", "DeepSeek-V3")
        )
        assert "arXiv:2005.14165" in output

    def test_quantities(self, run):
        assert "P_total_mixed" in run("quantities", env={"COLUMNS": "160"}).output


def loaded_by(*arguments):
    """The modules that a command loads, in a process of its own."""
    program = (
        f"import sys; from derive.cli import main\nmain({list(arguments)!r}, standalone_mode=False)\nprint('\\0' + ' '.join(sys.modules))"
    )
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", env=environment, check=True)
    return {name.partition(".")[0] for name in done.stdout.rpartition("\0")[2].split()}


def test_count_imports_neither_sympy_nor_jinja_nor_rich():
    assert not loaded_by("count", "DeepSeek-V3") & {"sympy", "jinja2", "rich", "numpy", "markdown_it"}


def test_show_imports_no_sympy_until_something_is_factored():
    assert "sympy" not in loaded_by("show", "P_total", "--given", "d_kv=d", "--expand")
    assert "sympy" in loaded_by("show", "P_attn", "--factor")


def test_the_readme_shows_what_is_printed(run):
    """Every command with its output in README.md, line by line up to an ellipsis."""
    import shlex
    from pathlib import Path

    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    sessions = [block.split("```")[0] for block in readme.split("```console\n")[1:]]
    assert len(sessions) >= 2
    for session in sessions:
        command, _, shown = session.partition("\n")
        printed = run(*shlex.split(command.removeprefix("$ derive ")), env={"COLUMNS": "100"}).output
        assert printed.startswith(shown.removesuffix("…\n"))


def test_the_readme_python_runs(tmp_path, monkeypatch, config):
    """The Python of README.md, with a configuration where it names one."""
    from pathlib import Path

    numpy = pytest.importorskip("numpy")
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    program = readme.split("```python\n")[1].split("```")[0]
    (tmp_path / "config.json").write_text(json.dumps(config))
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "README.md", "exec"), {"widths": numpy.array([64, 128])})
