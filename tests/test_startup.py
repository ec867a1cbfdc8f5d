"""A check loads what it needs, and nothing else: most of the time of a short one is loading."""

import subprocess
import sys

import pytest

NOT_NEEDED = """
    concurrent.futures multiprocessing rich tomllib json difflib html sympy jinja2 markdown_it
    derive.documents.latex derive.documents.rst derive.documents.notebook derive.documents.html derive.checker.instructions.directives
    derive.checker.concepts.matching.matching derive.quantities.compute derive.formula.parse derive.counting
""".split()


@pytest.mark.parametrize("text", ["$12 \\times 768^2 = 7{,}077{,}888$", "The losses are $(a - b)^2 = a^2 - 2ab + b^2$."])
def test_what_a_check_does_not_load(tmp_path, text):
    (tmp_path / "a.md").write_text(text)
    script = "import sys; from derive.cli import main\nmain(['check', 'a.md'], standalone_mode=False)\nprint('\\0' + ' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    report, _, loaded = run.stdout.partition("\0")
    assert "1 exact" in report
    assert not set(NOT_NEEDED) & set(loaded.split())
