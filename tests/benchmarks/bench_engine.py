"""Speed beside the peers, in one run; the ratios are what counts.

    pytest tests/benchmarks/bench_engine.py --benchmark-columns=median,rounds --benchmark-group-by=group

Aims: `derive count` within twice `import click`; a proof by normal form far below SymPy's `simplify`.
"""

import json
import subprocess
import sys

import pytest

from derive.algebra.normal import equal
from derive.book.rendering import render_book
from derive.formula.parse import parse

LEFT = "L(2d^2 + 2d d_{kv} + 3dm + 2d) + d + cVd"
RIGHT = "2Ld^2 + 2Ld d_{kv} + L(3m + 2)d + (1 + cV)d"


def process(*arguments):
    return lambda: subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    from derive.models import bundled_model

    path = tmp_path_factory.mktemp("model") / "config.json"
    path.write_text(json.dumps(dict(bundled_model("DeepSeek-V3").config.values)))
    return str(path)


@pytest.mark.benchmark(group="cold start")
class TestColdStart:
    def test_import_click(self, benchmark):
        benchmark.pedantic(process(sys.executable, "-c", "import click"), rounds=20, warmup_rounds=2)

    def test_import_sympy(self, benchmark):
        benchmark.pedantic(process(sys.executable, "-c", "import sympy"), rounds=10, warmup_rounds=2)

    def test_derive_count(self, benchmark, config):
        benchmark.pedantic(process(sys.executable, "-m", "derive", "count", config), rounds=20, warmup_rounds=2)


@pytest.mark.benchmark(group="one equality")
class TestEquality:
    def test_normal_form(self, benchmark):
        left, right = parse(LEFT), parse(RIGHT)
        assert benchmark(equal, left, right)

    def test_read_and_normal_form(self, benchmark):
        assert benchmark(lambda: equal(parse(LEFT), parse(RIGHT)))

    def test_sympy_expand(self, benchmark):
        from sympy.core.cache import clear_cache

        difference = parse(LEFT).expr - parse(RIGHT).expr
        assert benchmark.pedantic(lambda: difference.expand(), setup=clear_cache, rounds=50) == 0

    def test_sympy_simplify(self, benchmark):
        import sympy
        from sympy.core.cache import clear_cache

        difference = parse(LEFT).expr - parse(RIGHT).expr
        assert benchmark.pedantic(sympy.simplify, (difference,), setup=clear_cache, rounds=20) == 0


@pytest.mark.benchmark(group="whole book")
def test_whole_book(benchmark):
    assert len(benchmark.pedantic(render_book, rounds=5)) == 8
