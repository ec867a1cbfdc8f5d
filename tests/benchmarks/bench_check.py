"""The checker's speed beside its peers, in one run; the ratios are what counts.

    pytest tests/benchmarks/bench_check.py --benchmark-columns=median,rounds --benchmark-group-by=group

Aims: 150 µs for an equation read and judged, where math-verify needs 72 ms; the whole command before `scieqlint` on the same file.
"""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import derive
from derive.checker.checking import check_text

EQUATIONS = (
    (r"L(2d^2 + 2dd_{kv} + 3dm + 2d) + d + cVd", r"2Ld^2 + 2Ldd_{kv} + L(3m + 2)d + (1 + cV)d"),
    (r"12Ld^2\left(1 + \frac{13}{12d}\right)", r"12Ld^2 + 13Ld"),
    (r"\frac{4BSTD}{4BSD + 4BTD}", r"\frac{ST}{S + T}"),
    (r"50{,}257 \times 768", r"38{,}597{,}376"),
)
CHAPTER = Path(__file__).parents[2] / "out" / "en" / "05-dense-decoder.md"
MARKDOWN = "\n\n".join(f"$${left} = {right}$$" for left, right in EQUATIONS)


SCIEQLINT = shutil.which("scieqlint") or shutil.which("scieqlint", path=str(Path(sys.executable).parent))


def process(*arguments):
    """A command that finds something or nothing, and fails at nothing."""

    def run():
        assert subprocess.run(arguments, check=False, stdout=subprocess.DEVNULL).returncode in (0, 1)

    return run


@pytest.mark.parametrize("equation", EQUATIONS, ids=lambda sides: sides[0][:24])
class TestOneEquation:
    @pytest.fixture(autouse=True)
    def group(self, benchmark, equation):
        benchmark.group = f"read and judge {equation[0][:24]}"

    def test_derive_reads(self, benchmark, equation):
        assert len(benchmark(derive.read, " = ".join(equation)).sides) == 2

    def test_derive_reads_and_judges(self, benchmark, equation):
        text = f"$${equation[0]} = {equation[1]}$$"
        assert [finding.verdict for finding in benchmark(check_text, text).findings] == ["exact"]

    @pytest.mark.skipif(not find_spec("math_verify"), reason="math-verify is not installed")
    def test_math_verify(self, benchmark, equation):
        from math_verify import parse, verify

        benchmark.pedantic(
            lambda: verify(*(parse(f"${side}$", parsing_timeout=None) for side in equation), timeout_seconds=None), rounds=10
        )

    def test_sympy(self, benchmark, equation):
        import sympy
        from sympy.core.cache import clear_cache

        left, right = (derive.read(side).sides[0].expr for side in equation)
        benchmark.pedantic(lambda: sympy.simplify(left - right), setup=clear_cache, rounds=10)


@pytest.mark.benchmark(group="a chapter, in one process")
class TestChapter:
    def test_derive(self, benchmark):
        text = CHAPTER.read_text(encoding="utf-8")
        assert benchmark.pedantic(check_text, (text,), rounds=5, warmup_rounds=1).findings


@pytest.fixture(scope="module", params=["four equations", "a chapter"])
def file(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("documents") / "text.md"
    path.write_text(MARKDOWN if request.param == "four equations" else CHAPTER.read_text(encoding="utf-8"), encoding="utf-8")
    return request.param, str(path)


class TestCommand:
    def test_derive_check(self, benchmark, file):
        benchmark.group = f"the whole command on {file[0]}"
        benchmark.pedantic(process(sys.executable, "-m", "derive", "check", file[1]), rounds=10, warmup_rounds=1)

    @pytest.mark.skipif(not SCIEQLINT, reason="scieqlint is not installed")
    def test_scieqlint(self, benchmark, file):
        benchmark.group = f"the whole command on {file[0]}"
        benchmark.pedantic(process(SCIEQLINT, "check", file[1]), rounds=10, warmup_rounds=1)
