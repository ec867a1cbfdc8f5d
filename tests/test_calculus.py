"""Scaling questions against independent numbers: exact evaluation, differences in fractions, substitution, SymPy."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import derive
from derive.algebra.derivative import derivative
from derive.algebra.polynomial import Ring
from derive.calculus import allocation
from derive.calculus.dominance import dominance, error_below, leading_terms, percent_of, read_scaling
from derive.calculus.inverse import solve
from derive.calculus.rates import elasticities, elasticity, partial, total
from derive.calculus.roots import Root, real_roots
from derive.calculus.steps import multiplied, one_more, one_more_token, padded
from derive.calculus.subject import subject
from derive.calculus.trade import exchange_rate, exchanged
from derive.cli import main
from derive.conditions import read_conditions
from derive.errors import FormulaError, UndecidedError
from derive.formula.parse import parse
from derive.quantities import quantities

DENSE = "d_kv=d, m=8*d/3"
RULE = "12*L*d^2"
SIZES = {"d": 48, "d_kv": 16, "m": 130, "L": 7, "V": 501, "c": 2, "E": 6, "k": 2, "m_e": 20, "L_D": 3, "L_M": 4, "h_kv": 2, "d_h": 8}


class TestDominance:
    @pytest.mark.parametrize(
        ("scaling", "limit", "dominates"),
        [
            ("d->oo", "1", True), ("d,L->oo", "1", True), ("d, V → ∞", "(12Ld + cV)/(12Ld)", False), ("L->oo", "(1 + 6d)/(6d)", False),
            ("V->oo", "∞", False),
        ],
    )  # fmt: skip
    def test_the_rule_of_thumb(self, scaling, limit, dominates):
        found = dominance(subject("P_total", DENSE), subject(RULE), read_scaling(scaling))
        assert found.limit.text == limit and found.dominates is dominates

    def test_the_expansion_is_exact(self):
        found = dominance(subject("P_total", DENSE), subject(RULE), ("d",))
        assert found.derivation.lines[1].formula.text == "1 + 1/(6d) + 1/(12Ld) + cV/(12Ld)"

    def test_the_limit_by_evaluation_at_growing_sizes(self):
        ratio = dominance(subject("P_total", DENSE), subject(RULE), ("d",)).derivation.lines[0].formula
        values = [Fraction(ratio.evaluate({**SIZES, "d": 10**power})) for power in (3, 6, 9)]
        assert values[0] > values[1] > values[2] > 1 and values[2] - 1 < Fraction(1, 10**6)

    def test_sympy_agrees(self):
        import sympy

        for name, over in (("P_total", RULE), ("F_attn", "F_lin"), ("P_block", "P_ffn")):
            of, leading = subject(name, DENSE), subject(over, DENSE)
            mine = dominance(of, leading, ("d",)).limit
            symbol = sympy.Symbol("d")
            positive = {name: sympy.Symbol(name, positive=True) for name in {*of.closed.names, *leading.closed.names}}
            expression = (of.closed.expr / leading.closed.expr).subs(positive)
            assert sympy.simplify(sympy.limit(expression, positive[symbol.name], sympy.oo) - mine.expr.subs(positive)) == 0

    def test_the_error_is_what_is_left_out(self):
        of, leading = subject("P_total", DENSE), subject(RULE)
        error = Fraction(dominance(of, leading, ("d",)).error.evaluate(SIZES))
        whole, part = Fraction(of.closed.evaluate(SIZES)), Fraction(leading.closed.evaluate(SIZES))
        assert error == (whole - part) / whole

    @given(st.integers(1, 200), st.integers(100, 300_000), st.integers(1, 2), st.integers(1, 30))
    @settings(max_examples=40, deadline=None)
    def test_the_threshold_is_the_first_size_below_the_bound(self, L, V, c, bound):
        error = dominance(subject("P_total", DENSE), subject(RULE), ("d",)).error
        sizes = {"L": L, "V": V, "c": c}
        found = error_below(error, ("d",), Fraction(bound, 100), sizes)
        assert Fraction(error.evaluate({**sizes, "d": found.size})) < Fraction(bound, 100)
        assert found.size == 1 or Fraction(error.evaluate({**sizes, "d": found.size - 1})) >= Fraction(bound, 100)

    def test_leading_terms_in_order(self):
        found = [(degree, term.text) for degree, term in leading_terms(subject("P_total", DENSE), ("d",))]
        assert found == [(2, "12Ld²"), (1, "2Ld + d + cVd")]

    @pytest.mark.parametrize("text", ["d", "d->0", "q->oo", "->oo", "d;V->oo"])
    def test_bad_scalings(self, text):
        with pytest.raises(FormulaError):
            read_scaling(text)

    def test_what_does_not_occur_and_what_is_zero(self):
        with pytest.raises(FormulaError, match="a limit in E"):
            dominance(subject("P_total"), subject(RULE), ("E",))
        with pytest.raises(FormulaError, match="a ratio to zero"):
            dominance(subject("P_total"), subject("P_total - P_total"), ("d",))
        with pytest.raises(UndecidedError, match="tends to 1"):
            error_below(dominance(subject("P_total"), subject("L*d*m"), ("d",)).error, ("d",), Fraction(1, 100), SIZES)
        with pytest.raises(FormulaError, match="tie the others"):
            error_below(dominance(subject("P_total", DENSE), subject(RULE), ("d", "V")).error, ("d", "V"), Fraction(1, 100), SIZES)
        with pytest.raises(FormulaError):
            percent_of("150%")


class TestRates:
    @pytest.mark.parametrize("name", [name for name, each in quantities().items() if name not in ("E_used",)])
    def test_derivatives_agree_with_sympy(self, name):
        import sympy

        formula = quantities()[name].formula
        for symbol in formula.names:
            assert sympy.expand(derivative(formula, symbol).expr - sympy.diff(formula.expr, sympy.Symbol(symbol))) == 0

    def test_derivatives_against_differences(self):
        """Of a quadratic the central difference is the derivative, exactly, in fractions."""
        formula = quantities()["P_total"].formula
        for symbol in ("d", "L", "m", "V"):
            step = Fraction(1, 1000)
            up, down = (formula.evaluate({**SIZES, symbol: SIZES[symbol] + sign * step}) for sign in (1, -1))
            assert (up - down) / (2 * step) == derivative(formula, symbol).evaluate(SIZES)

    def test_in_textbook_order(self):
        assert partial(subject("P_total"), "d").result.text == "L(4d + 2d_kv + 3m + 2) + 1 + cV"
        assert partial(subject("P_total_MoE"), "E").result.text == "L(3d·m_e + d)"

    def test_elasticity_tends_to_two(self):
        from derive.derivation import limit

        assert elasticity(subject("P_total", DENSE), "d").then(limit(("d",))).result == parse("2")

    def test_total_derivative_and_its_chain(self):
        found = total(subject("P_total"), "d", read_conditions("m=4d, d_kv=d"))
        tied = subject("P_total", "m=4d, d_kv=d").closed
        assert found.result.evaluate(SIZES) == derivative(tied, "d").evaluate(SIZES)
        assert found.lines[0].formula.text == "L(4d + 2d_kv + 3m + 2) + 1 + cV + 12Ld + 2Ld"

    def test_elasticities_of_a_model_by_differences(self):
        sizes = derive.count("LLaMA-7B").symbols
        found = elasticities(subject("P_total"), sizes)
        whole = derive.count("LLaMA-7B").total
        assert found["m"] == Fraction(32 * 3 * 4096 * 11008, whole)
        assert found["V"] == found["c"] == Fraction(2 * 32000 * 4096, whole)

    def test_a_symbol_that_does_not_occur(self):
        with pytest.raises(FormulaError, match="a derivative by E"):
            partial(subject("P_total"), "E")


class TestSteps:
    @pytest.mark.parametrize(
        ("name", "symbol", "given", "adds"),
        [
            ("P_total", "L", None, "2d² + 2d·d_kv + 3dm + 2d"), ("P_total", "V", None, "cd"), ("P_total_mixed", "E", None, "3L_M·d·m_e + L_M·d"),
            ("P_active", "k", None, "3Ld·m_e"), ("P_total", "h_kv", "d_kv=h_kv*d_h", "2Ld·d_h"), ("M_kv", "n", "B=1, b=1", "2L·h_kv·d_h"),
        ],
    )  # fmt: skip
    def test_one_more(self, name, symbol, given, adds):
        assert one_more(subject(name, given), symbol).result.text == adds

    @given(st.sampled_from(["P_total", "P_total_MoE", "P_total_mixed", "P_active"]), st.sampled_from(["d", "L", "V", "E", "k", "m_e"]))
    @settings(max_examples=40, deadline=None)
    def test_one_more_by_evaluation(self, name, symbol):
        of = subject(name)
        if symbol not in of.closed.names:
            return
        more = of.closed.evaluate({**SIZES, symbol: SIZES[symbol] + 1}) - of.closed.evaluate(SIZES)
        assert one_more(of, symbol).result.evaluate(SIZES) == more

    def test_doubling_is_not_exactly_four(self):
        found = multiplied(subject("P_total", "m=4d, d_kv=d"), ("d",)).result
        assert 3 < Fraction(found.evaluate(SIZES)) < 4
        assert multiplied(subject(RULE), ("d",)).result == parse("4")
        assert multiplied(subject("P_block"), ("d", "d_kv", "m")).result.evaluate(SIZES) < 4

    def test_padding(self):
        assert padded(50257, 128) == 50304 and padded(151669, 128 * 1187) == 151936 and padded(250880, 1024) == 250880
        with pytest.raises(FormulaError):
            padded(5, 0)

    def test_five_readings_of_one_more_token(self):
        readings = one_more_token()
        assert len(readings) == 5
        assert [each.adds.text for each in readings] == [
            "0", quantities()["P_active"].formula.text, "2L·h_kv·d_h", "cd", "d",
        ]  # fmt: skip
        assert readings[3].with_bias == parse("c*d + 1")


def words(solution):
    return [remark.en for remark in solution.remarks]


class TestInverse:
    EXAMPLE = ("P_total = 7e9", "d", "L=32, m=8*d/3, d_kv=d, V=32000, c=2")

    def test_the_example(self):
        found = solve(*self.EXAMPLE)
        assert found.closed[0].result.text == "-21,355/256 + (5/768)√(430,244,172,969)"
        (root,) = found.roots
        left = subject("P_total", self.EXAMPLE[2]).closed
        assert left.evaluate({"d": root.low}) <= 7 * 10**9 <= left.evaluate({"d": root.high})
        assert root.high - root.low < Fraction(1, 10**10)
        assert "no whole d solves it exactly" in words(found)

    @pytest.mark.parametrize("total", ["6.6e9", "6.73e9", "7e9", "13e9", "124e6", "65e9"])
    def test_realisable_sizes_are_multiples_and_bracket_the_target(self, total):
        found = solve(f"P_total = {total}", *self.EXAMPLE[1:])
        kept = [each for each in found.candidates if each.kind.en == "multiple of 128"]
        assert all(each.size % 128 == 0 and dict(each.tied)["m"] % 256 == 0 for each in kept)
        assert min(each.left for each in kept) <= Fraction(total) <= max(each.left for each in kept)

    def test_realisable_sizes_have_exact_counts(self):
        """At d = 4096 the tied width 8d/3 is made whole: 11008, and the count is LLaMA-7B's."""
        candidate = next(each for each in solve(*self.EXAMPLE).candidates if each.size == 4096)
        assert candidate.kind.en == "multiple of 128"
        assert dict(candidate.tied) == {"m": 11008, "d_kv": 4096} and candidate.left == 6_738_415_616

    @given(st.integers(1, 5000), st.integers(1, 100), st.integers(1, 2))
    @settings(max_examples=30, deadline=None)
    def test_a_root_solves_the_equation(self, d, L, c):
        given = f"L={L}, m=4*d, d_kv=d, V=1000, c={c}"
        exact = subject("P_total", given).closed.evaluate({"d": d})
        found = solve(f"P_total = {exact}", "d", given)
        assert found.roots == (Root(Fraction(d), Fraction(d), 1),)
        assert any(each.size == d and each.left == exact for each in found.candidates)

    @pytest.mark.parametrize(
        ("equation", "symbol", "given", "size"),
        [
            ("P_total = 6738415616", "L", "d=4096, d_kv=d, m=11008, V=32000, c=2", 32),
            ("P_total = 6738415616", "m", "d=4096, d_kv=d, L=32, V=32000, c=2", 11008),
            ("P_total_MoE = 46702792704", "E", "d=4096, d_kv=1024, m_e=14336, L=32, V=32000, c=2", 8),
            ("P_active = 12879925248", "k", "d=4096, d_kv=1024, m_e=14336, L=32, V=32000, c=2, E=8", 2),
            ("M_kv = 16 GiB", "n", "L=32, h_kv=8, d_h=128, b=2, B=1", 131072),
            ("P_total = 6.738415616B", "L", "d=4096, d_kv=d, m=11008, V=32000, c=2", 32),
            ("M_kv = 16*2^30", "B", "L=32, h_kv=8, d_h=128, b=2, n=8192", 16),
        ],
    )
    def test_other_unknowns(self, equation, symbol, given, size):
        found = solve(equation, symbol, given)
        assert found.roots == (Root(Fraction(size), Fraction(size), 1),) and any(
            each.size == size and each.left == each.right for each in found.candidates
        )

    def test_none_several_and_symbolic(self):
        tiny = solve("P_total = 5", "d", "L=32, m=4d, d_kv=d, V=32000, c=2")
        assert words(tiny) == ["it is met below d = 1, so no whole d is small enough"] and not tiny.candidates
        assert words(solve("d^2 + 100 = 3", "d")) == ["no positive d solves it"] and not solve("d^2 + 100 = 3", "d").closed
        assert [root.low for root in solve("d^2 + 6 = 5*d", "d").roots] == [2, 3]
        assert solve("F_attn = F_lin", "n").closed[0].result == parse("d + d_kv + 3/2 m")
        assert words(solve("P_ffn = 3*d*m", "d")) == ["every d solves it"]

    def test_roots_are_written_simply(self):
        written = {
            equation: [each.result.text for each in solve(equation, "d").closed]
            for equation in ("d^2 - 10*d + 24 = 0", "d^2 = 8", "(d-3)^2 = 0", "d^2 + 1 = 0", "(d^2-9)/(d-3) = 0", "(d^2-9)/(d-3) = 6")
        }
        assert list(written.values()) == [["6", "4"], ["2√(2)", "-2√(2)"], ["3"], [], ["-3"], []]

    def test_what_divides_by_zero_solves_nothing(self):
        assert words(solve("(d^2-9)/(d-3) = 6", "d")) == ["d = 3 divides by zero", "no positive d solves it"]

    @given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 9))
    @settings(max_examples=60, deadline=None)
    def test_which_root_is_positive(self, b, c, a):
        import sympy

        x = sympy.Symbol("x", real=True)
        wanted = sum(1 for root in sympy.real_roots(sympy.Poly(a * x**2 + b * x + c, x), multiple=False) if root[0] > 0)
        found = solve(f"{a}*d^2 + {b}*d + {c} = 0".replace("+ -", "- "), "d")
        positive = [
            each for each in found.closed if each.lines[0].why.en == "a positive solution" or ("twice" in each.lines[0].why.en and b < 0)
        ]
        assert len(found.roots) == len(positive) == wanted

    def test_sizes_that_cannot_be_are_not_offered(self):
        found = solve("P_active = 130e9", "k", "d=4096, d_kv=1024, m_e=14336, L=32, V=32000, c=2, E=8")
        assert not found.candidates and any("k is at most E" in remark for remark in words(found))

    def test_a_width_is_a_multiple_of_the_head_size(self):
        found = solve("P_total = 7e9", "d", "L=32, m=4d, d_kv=d, V=32000, c=2, d_h=96")
        assert {each.size % 96 for each in found.candidates if each.kind.en == "multiple of 96"} == {0}

    @given(st.lists(st.integers(-60, 60), min_size=2, max_size=6))
    @settings(max_examples=80, deadline=None)
    def test_roots_as_sympy_isolates_them(self, numbers):
        import sympy

        ring = Ring(("d",))
        terms = {ring.monomial((power,)): value for power, value in enumerate(numbers) if value}
        poly = sympy.Poly(list(reversed(numbers)), sympy.Symbol("d"))
        wanted = (
            []
            if poly.is_zero or poly.degree() < 1
            else sorted(float(root) for root in poly.real_roots(multiple=False) and [r for r, _ in poly.real_roots(multiple=False)])
        )
        assert [float(root.low) for root in real_roots(ring, terms)] == pytest.approx(wanted, rel=1e-9, abs=1e-12)

    @pytest.mark.parametrize(
        ("equation", "symbol", "given"),
        [
            ("P_total", "d", None), ("P_total = 5 = 6", "d", None), ("P_total = 7e9", "E", None), ("P_total = 7e9", "d", "c=3"),
            ("P_nothing = 3", "d", None), ("d^20 = 5", "d", None), ("d^12 - d^11 = 1e2900", "d", None), ("P_total = 7e9", "d", "d=4096, L=32"), ("P_total = 7e9", "d", "L=m, m=L"),
        ],
    )  # fmt: skip
    def test_bad_questions(self, equation, symbol, given):
        with pytest.raises((FormulaError, UndecidedError)):
            solve(equation, symbol, given)


class TestTrade:
    def test_depth_for_width_along_the_budget(self):
        """The slope is what the exact depths at neighbouring widths tend to."""
        slope, elasticity = exchange_rate(subject("P_total", DENSE), "d", "L")
        assert elasticity.result.text == "(-24Ld - cV - 2L - 1)/(12Ld + 2L)"
        assert exchange_rate(subject("12*L*d^2"), "d", "L")[1].result.text == "-2"
        of, sizes = subject("P_total", DENSE), {"L": 32, "d": 4096, "V": 32000, "c": 2}
        budget = of.closed.evaluate(sizes)
        depths = [solve(f"P_total = {budget}", "L", f"{DENSE}, V=32000, c=2, d={width}").roots[0].low for width in (4095, 4097)]
        assert abs((depths[1] - depths[0]) / 2 / Fraction(slope.result.evaluate(sizes)) - 1) < Fraction(1, 10**5)

    def test_every_row_spends_the_same(self):
        of, sizes = subject("P_total", DENSE), {"L": 32, "d": 4096, "V": 32000, "c": 2}
        for row in exchanged(of, "d", "L", sizes, 128):
            assert of.closed.evaluate({**sizes, "d": row.size, "L": row.other}) == of.closed.evaluate(sizes)
            assert row.size % 128 == 0 and row.whole <= row.other < row.whole + 1
            assert row.value == of.closed.evaluate({**sizes, "d": row.size, "L": row.whole})

    @pytest.mark.parametrize(("size", "other"), [("d", "d"), ("d", "E"), ("q", "L")])
    def test_what_cannot_be_exchanged(self, size, other):
        with pytest.raises(FormulaError):
            exchange_rate(subject("P_total", DENSE), size, other)

    def test_only_what_is_linear(self):
        with pytest.raises(FormulaError, match="linear in it"):
            exchanged(subject("P_total", DENSE), "L", "d", {"L": 32, "d": 4096, "V": 32000, "c": 2}, 1)


class TestAllocation:
    def test_the_steps_are_proved(self):
        assert [each.left.text for each in allocation.derivations()] == ["L", "dL/d ln N", "αAN^(-α)", "N*", "D*", "D*/N*"]

    def test_a_false_optimum_is_not_printed(self):
        from derive.errors import StepError

        *_, condition, parameters, tokens, ratio = allocation.derivations()
        with pytest.raises(StepError):
            allocation._prove_best(tokens.result, parameters.result, ratio.result)
        with pytest.raises(StepError):
            allocation._prove_best(parameters.result, tokens.result, parameters.result)
        with pytest.raises(StepError):
            allocation._prove_stationary(condition.result, parse("d"))

    @pytest.mark.parametrize("fit", allocation.FITS)
    def test_no_neighbour_does_better(self, fit):
        best = allocation.allocate(Fraction(576 * 10**21), fit)

        def loss(parameters):
            tokens = 5.76e23 / (6 * parameters)
            return float(fit.A) / parameters ** float(fit.alpha) + float(fit.B) / tokens ** float(fit.beta)

        assert loss(best.parameters) < min(loss(best.parameters * factor) for factor in (0.98, 1.02, 0.5, 2))
        assert abs(6 * best.parameters * best.tokens / 5.76e23 - 1) < 1e-9

    def test_the_ratio_depends_on_the_fit(self):
        first, second = (allocation.allocate(Fraction(576 * 10**21), fit).ratio for fit in allocation.FITS)
        assert first > 50 and second < 25


GPT2 = ("--ffn", "two-matrix", "--norm", "layer", "--bias", "--positions")


class TestCommands:
    @pytest.fixture
    def run(self):
        return lambda *arguments: CliRunner().invoke(main, arguments, env={"COLUMNS": "100"})

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("limit", "P_total", "--over", RULE, "--as", "d->oo", "--given", DENSE, "--below", "5%", "--at", "L=32,V=32000,c=2"), "from d = 3,170 on"),
            (("limit", "P_total", "--over", RULE, "--as", "d->oo"), "68.3 %"),
            (("limit", "P_total", "--over", RULE, "--as", "d,V->oo", "--given", DENSE), "does not dominate along this scaling"),
            (("leading", "P_total", "--as", "d->oo", "--given", DENSE), "embedding and head"),
            (("rate", "P_total", "--by", "d", "--given", DENSE, "--at", "L=32,V=32000,c=2,d=4096"), "elasticity"),
            (("rate", "P_total", "--by", "d", "--ties", "m=4d"), "chain rule with m = 4d"),
            (("change", "P_total", "--by", "L", "--at", "LLaMA-7B"), "202,383,360"),
            (("change", "P_total", "--by", "d,m,d_kv", "--times", "2", "--at", "GPT-2 small", *GPT2), "about 3.36507"),
            (("solve", "P_total = 7e9", "--for", "d", "--given", "L=32, m=8*d/3, d_kv=d, V=32000, c=2"), "6,738,415,616"),
            (("change", "P_total", "--by", "V", "--pad", "128", "--at", "GPT-2 small", *GPT2), "36,096"),
            (("rate", "P_total", "--by", "d", "--at", "LLaMA-7B", "--at", "Llama-3-8B"), "Llama-3-8B"),
            (("leading", "P_total", "--as", "d->oo"), "feed-forward"),
            (("leading", "P_total", "--as", "d->oo", "--given", DENSE), "because of terms of lower degree: norms, final norm, embedding and head"),
            (("leading", "P_expert", "--as", "d,m_e->oo"), "grows by 4 exactly"),
            (("crossover", "Llama-3-8B"), "26,624"),
            (("one-more-token",), "cd + 1"),
            (("allocate", "5.76e23"), "Besiroglu"),
            (("trade", "P_total", "--of", "d", "--for", "L", "--at", "LLaMA-7B"), "24.332384"),
            (("crossover",), "1/(3m_e)"), (("crossover", "--share", "5%"), "19cV"),
        ],
    )  # fmt: skip
    def test_answers(self, run, arguments, words):
        result = run(*arguments)
        assert (result.exit_code == 0 and words in " ".join(result.stdout.split())) or words in result.stdout
        answer = json.loads(run(*arguments, "--json").stdout)
        assert set(answer) == {"derivations", "table", "remarks"} and answer["derivations"]
        latex, markdown = run(*arguments, "--latex").stdout, run(*arguments, "--markdown").stdout
        if answer["table"]:
            assert "tabular" in latex and "| --" in markdown
        for remark in answer["remarks"]:
            assert "`" not in remark and remark.split()[0].strip(":") in markdown
        assert run(*arguments, "--language", "zh").exit_code == 0

    @pytest.mark.parametrize("width", [40, 60, 80])
    def test_tables_fit_the_window(self, width):
        for arguments in (
            ("one-more-token",),
            ("allocate", "5.76e23"),
            ("crossover", "DeepSeek-V3"),
            ("leading", "P_total", "--as", "d->oo"),
        ):
            printed = CliRunner().invoke(main, arguments, env={"COLUMNS": str(width)}).stdout
            table = printed[printed.index("one more token") if arguments == ("one-more-token",) else 0 :]
            assert max(len(line) for line in table.splitlines() if not line.startswith(" ")) <= max(width, 80)

    def test_a_model_is_asked_about_as_it_is(self, run):
        """A GPT-2 layer has 7,087,872 parameters; a gated one of its sizes 9,438,720."""
        right = json.loads(run("change", "P_total", "--by", "L", "--at", "GPT-2 small", *GPT2, "--json").stdout)
        assert right["derivations"][0]["lines"][-1]["text"] == "7,087,872"
        for arguments in (
            ("change", "P_total", "--by", "L", "--at", "GPT-2 small"), ("rate", "P_total", "--by", "d", "--at", "Gemma-2-9B"),
            ("rate", "P_total", "--by", "d", "--given", "m=4d", "--at", "LLaMA-7B"), ("rate", "P_total", "--by", "d", "--at", "Mixtral-8x7B"),
            ("change", "P_active", "--by", "k", "--at", "L=2,d=8,d_q=8,d_kv=8,m_e=4,E=8,k=8,V=10,c=1"),
        ):  # fmt: skip
            assert run(*arguments).exit_code == 2, arguments

    def test_impossible_sizes(self, run):
        window = "L_F=2,L_S=2,h_kv=2,d_h=64,n=128,w=128"
        mixed = "L=8,L_D=4,L_M=4,d=64,d_kv=64,m=256,m_e=64,E=4,V=100,c=1"
        for arguments, says in (
            (("change", "N_kv_window", "--by", "w", "--at", window), "w ≤ n"),
            (("leading", "F_attn_window", "--as", "w->oo"), "w does not grow beyond n"),
            (("limit", "P_active", "--over", "P_total_MoE", "--as", "k->oo", "--given", "E=8"), "k does not grow beyond E"),
            (("limit", "P_total", "--over", RULE, "--as", "c->oo"), "does not grow"),
            (("change", "P_total_mixed", "--by", "L", "--at", mixed), "tie them, as in --given 'L=L_D+L_M'"),
            (("solve", "P_total_mixed = 1e9", "--for", "L_M", "--given", mixed.replace("L_M=4,", "")), "follows from L = L_D + L_M"),
            (("solve", "P_total = 7e9", "--for", "L", "--given", "d=4096,d_kv=512,h_kv=8,d_h=128,m=11008,V=32000,c=2"), "is not h_kv"),
            (("limit", "P_total", "--over", RULE, "--as", "d->oo", "--given", DENSE, "--below", "1/20", "--at", "L=3,V=9,c=2"), "as in 5%"),
        ):
            result = run(*arguments)
            assert result.exit_code == 2 and says in result.stderr, arguments

    def test_a_layer_of_experts_more(self, run):
        mixed = "L=8,L_D=4,L_M=4,d=64,d_kv=64,m=256,m_e=64,E=4,V=100,c=1"
        answer = run("change", "P_total_mixed", "--by", "L_M", "--given", "L=L_D+L_M", "--at", mixed, "--json").stdout
        assert json.loads(answer)["derivations"][0]["lines"][-1]["text"] == "65,920"

    def test_the_largest_that_fits_only_where_more_costs_more(self):
        assert any("largest n within" in remark for remark in words(solve("M_kv = 16 GiB", "n", "L=32,h_kv=8,d_h=128,B=1,b=2")))
        assert not any("largest" in remark for remark in words(solve("1/d = 1/4", "d")))

    def test_impossible_exchanges_are_left_out(self):
        sizes = {"L": 8, "d": 64, "d_kv": 64, "m_e": 64, "E": 4, "k": 4, "V": 100, "c": 1}
        assert max(row.other for row in exchanged(subject("P_active"), "m_e", "k", sizes, 16)) == 4

    def test_windows_move_the_crossover(self, run):
        """Half of Gemma 2's layers look back 4,096 tokens, so the others have to look further: 2·24,192 - 4,096."""
        answer = json.loads(run("crossover", "Gemma-2-9B", "--json").stdout)
        assert answer["table"][0]["value"] == 44_288

    @pytest.mark.parametrize(
        ("of", "over", "ends"), [("d - d^2", "d", "-∞"), ("d^2 - d", "d", "∞"), ("3*d - 1", "d", "3"), ("P_total", "P_total", "1")]
    )
    def test_the_sign_of_a_limit(self, of, over, ends):
        assert dominance(subject(of), subject(over), ("d",)).limit.text == ends

    def test_an_undecidable_sign_is_not_decided(self):
        with pytest.raises(UndecidedError, match="not decided: whether"):
            dominance(subject("L*d - V*d"), subject("1"), ("d",))

    @pytest.mark.parametrize(("of", "over", "size"), [("d", "d+5", 101), ("d^2 - 1000*d", "d^2", 21_001)])
    def test_an_error_of_either_sign_is_bounded(self, of, over, size):
        found = error_below(dominance(subject(of), subject(over), ("d",)).error, ("d",), Fraction(5, 100), {})
        assert found.size == size and abs(found.error) < Fraction(5, 100) <= abs(found.before)

    def test_a_quantity_whose_name_ends_in_a_digit(self):
        assert subject("M_zero1").asked.text == subject("m_zero1").asked.text and "N_d" in subject("M_zero1").closed.names

    @pytest.mark.parametrize(
        "arguments",
        [
            ("change", "P_total", "--by", "V", "--pad", "128"), ("change", "P_total", "--by", "V", "--pad", "0", "--at", "LLaMA-7B"),
            ("limit", "P_total", "--over", RULE, "--as", "q->oo"), ("limit", "P_total", "--over", RULE, "--as", "E->oo"),
            ("limit", "P_total", "--over", "d-d", "--as", "d->oo"), ("limit", "P_nothing", "--over", "d", "--as", "d->oo"),
            ("limit", "P_total", "--over", RULE, "--as", "d->oo", "--below", "5%"), ("rate", "P_total", "--by", "E"),
            ("rate", "P_total", "--by", "d", "--given", "c=3"), ("change", "P_total", "--by", "L,d"), ("change", "P_total", "--by", "d", "--times", "1"),
            ("solve", "P_total", "--for", "d"), ("solve", "P_active = 5", "--for", "d", "--given", "k=E+1"), ("crossover", "no-model"),
            ("allocate", "-5"), ("allocate", "x"), ("limit", "P_total", "--over", "d^9^9", "--as", "d->oo"),
            ("solve", "d^100000 = 5", "--for", "d"),
        ],
    )  # fmt: skip
    def test_bad_questions(self, run, arguments):
        result = run(*arguments)
        assert result.exit_code == 2 and result.stdout == "" and result.stderr.count("\n") == 1
