"""The tree, its writing and its reading. The laws: what the operators build is tidy; parse(write(f)) == f."""

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import derive
from derive.errors import DeriveError, FormulaError, UndecidedError
from derive.formula.parse import parse, parse_equations
from derive.formula.put_in import with_numbers
from derive.formula.rewrite import tidied
from derive.formula.tree import Name, Number, Power, Product, Quotient, Sum
from derive.formula.write import write_code, write_latex, write_markdown, write_text

d, d_q, d_kv, m, L, V, c, E = (Name(name) for name in ["d", "d_q", "d_kv", "m", "L", "V", "c", "E"])

NAMES = st.sampled_from(
    ["d", "m", "V", "L", "E", "k", "c", "h", "n", "B", "b", "r", "d_kv", "d_q", "n_ctx", "L_D", "P_attn", "P_total_MoE", "x"]
).map(Name)
NUMBERS = st.one_of(st.integers(0, 10**12), st.fractions(min_value=0, max_value=1000, max_denominator=99), st.integers(-50, -1)).map(Number)


def _is_quotient(pair):
    """Two whole numbers in lowest terms are a number, not a quotient."""
    return not all(isinstance(part, Number) for part in pair)


def trees(leaves):
    several = st.lists(leaves, min_size=2, max_size=4).map(tuple)
    # A product begins with at most one number, and a sum holds terms: what people write, and what the parser builds.
    return st.one_of(
        several.map(Sum),
        several.map(Product),
        st.tuples(leaves, st.integers(-4, 9).map(Number) | NAMES).map(lambda pair: Power(*pair)),
        st.tuples(leaves, leaves).filter(_is_quotient).map(lambda pair: Quotient(*pair)),
    )


WRITERS = (write_latex, write_markdown, write_text, write_code)
FORMULAS = st.recursive(NAMES | NUMBERS, trees, max_leaves=12)


class TestTidyOperators:
    def test_factors_gather_into_powers_behind_one_number(self):
        assert d * 2 * d * 3 == parse("6d^2")
        assert (2 * d) ** 3 == parse("8d^3")
        assert d**2 * d == parse("d^3")

    def test_like_terms_gather_where_the_first_stands(self):
        assert d * d_q + d * d_kv + d * d_kv + d_q * d == parse("2d*d_q + 2d*d_kv")
        assert d * m - m * d == Number(0)

    def test_brackets_that_add_up_to_one_term_gather(self):
        assert L * m + V * d + (c - 1) * d * V == parse("Lm + cVd")
        assert V * d + (c + 1) * d * V == parse("Vd + (c + 1)dV")

    def test_nothing_is_multiplied_out_or_sorted(self):
        assert (L * (2 * d**2 + d) + d).text == "L(2d² + d) + d"
        assert (V * d + d * E).text == "Vd + dE"

    def test_division_by_a_number_is_a_fraction_in_front(self):
        assert (8 * d / 3).text == "(8/3)d"
        assert 3 * d * (8 * d / 3) == parse("8d^2")

    def test_numbers_stay_exact(self):
        assert Number(Fraction(6, 3)) == Number(2)
        assert (Number(1) / 3 + Number(1) / 6) == Number(Fraction(1, 2))

    @pytest.mark.parametrize("build", [lambda: d / 0, lambda: Number(10) ** 10**9, lambda: Number(0) ** -1])
    def test_what_cannot_be_computed_is_an_error(self, build):
        with pytest.raises(UndecidedError):
            build()

    @given(FORMULAS, FORMULAS)
    @settings(max_examples=150, deadline=None)
    def test_tidying_does_not_change_the_value(self, left, right):
        values = {name: Fraction(at + 2, 3) for at, name in enumerate({*left.names, *right.names})}
        try:
            expected = left.evaluate(values) * right.evaluate(values) + left.evaluate(values)
        except (UndecidedError, ZeroDivisionError):
            return
        try:
            tidy = tidied(left) * tidied(right) + tidied(left)
        except UndecidedError:
            return
        assert tidy.evaluate(values) == expected


class TestWriting:
    TOTAL = L * (2 * d**2 + 2 * d * d_kv + 3 * d * m + 2 * d) + d + c * V * d

    def test_the_target_to_the_letter(self):
        assert write_latex(self.TOTAL) == r"L\,(2d^2 + 2d\,d_{kv} + 3dm + 2d) + d + cVd"
        assert write_text(self.TOTAL) == "L(2d² + 2d·d_kv + 3dm + 2d) + d + cVd"
        assert write_code(self.TOTAL) == "L*(2*d**2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d"

    def test_markdown_holds_no_backslash_before_punctuation(self):
        written = write_markdown(self.TOTAL / (d * d_kv) + Fraction(8, 3) * d)
        assert all(written[at + 1].isalpha() for at, letter in enumerate(written) if letter == "\\")

    @pytest.mark.parametrize(
        ("formula", "latex"),
        [
            (Fraction(8, 3) * d, r"\frac{8}{3}d"),
            (d - m, "d - m"),
            (-(d + m), "-(d + m)"),
            ((d + m) ** 2, "(d + m)^2"),
            (Name("P_attn") + 2 * d, r"P_{\mathrm{attn}} + 2d"),
            (3 * Name("L_D") * d * m, r"3L_D\,dm"),
            (Name("n_ctx") * d, r"n_{\mathrm{ctx}}\,d"),
            (d * Name("h_kv") / Name("h"), r"\frac{dh_{kv}}{h}"),
            (Number(38597376), "38{,}597{,}376"),
            (Number(4096), "4096"),
        ],
    )
    def test_latex(self, formula, latex):
        assert write_latex(formula) == latex

    def test_numbers_put_in_keep_the_shape(self):
        put = with_numbers(self.TOTAL, {"L": 32, "d": 4096, "d_kv": 1024, "m": 14336, "V": 128256, "c": 2})
        assert put.text == "32(2·4096² + 2·4096·1024 + 3·4096·14,336 + 2·4096) + 4096 + 2·128,256·4096"
        assert put.evaluate({}) == 8_030_261_248


class TestReading:
    @given(FORMULAS)
    @settings(max_examples=400, deadline=None)
    def test_parse_undoes_write(self, formula):
        """For a tidy formula, and for every formula that the parser itself built, exactly as it was written.

        A raw tree may be read back otherwise (2·-3), but never as another value.
        """
        built = [parse(write(formula)) for write in WRITERS]
        with contextlib.suppress(UndecidedError):
            built.append(tidied(formula))
        for each in built:
            for write in WRITERS:
                assert parse(write(each)) == each
        values = {name: Fraction(at + 2, 3) for at, name in enumerate(formula.names)}
        try:
            expected = formula.evaluate(values)
        except UndecidedError:
            return
        assert [each.evaluate(values) for each in built] == [expected] * len(built)

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            (r"L(2d^2+2dd_{kv}+3dm+2d)+d+cVd", "L*(2*d**2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d"),
            (r"L\left(4d^2 + 2dm + 2d\right)", "L*(4*d**2 + 2*d*m + 2*d)"),
            ("3Edm_e", "3*E*d*m_e"),
            ("8*d/3", "8*d/3"),
            ("2/3 d", "(2/3)*d"),
            (r"d^2_{kv}", "d_kv**2"),
            (r"d_{\text{model}}^2", "d**2"),
            ("hidden_size * vocab_size", "d*V"),
            (r"\tfrac{8}{3} d", "(8/3)*d"),
            (r"38{,}597{,}376 - 38,597,376", "38597376 - 38597376"),
            ("12·32·4096²", "12*32*4096**2"),
            (r"6.44 \times 10^9", "(161/25)*10**9"),
            (r"P_{\rm total}", "P_total"),
            ("n_{\\mathrm{ctx}} d", "n_ctx*d"),
            ("d d_kv", "d*d_kv"),
            ("dd_kv", "d*d_kv"),
            ("−2 − 3d", "-2 - 3*d"),
            ("3L_Ddm", "3*L_D*d*m"),
            ("d_qd_{kv} + m_em", "d_q*d_kv + m_e*m"),
            ("1.97e+14 + 2E3", "197000000000000 + 2000"),
            ("24bsh^2", "24*b*s*h**2"),
            ("E_s3dm_s", "E_s*3*d*m_s"),
        ],
    )
    def test_reads(self, text, code):
        assert write_code(parse(text)) == code

    @pytest.mark.parametrize(
        ("text", "column"),
        [
            ("4 096", 3), (r"32\,000", 5), ("1.5.3", 1), ("sqrt(d)", 1), ("2log d", 2), ("hidden", 1), (r"80\,\text{GB}", 5), ("d² ² ²", 6),
            ("2d + ", 6), ("2d ** ** 3", 7), ("(d", 3), ("d)", 2), ("a/bc", 4), ("2 & 3", 3), (r"\sqrt{d}", 1), ("d_", 3),
            ("d^2^2", 4), ("", 1), (r"\frac d 2", 7), ("__import__('os')", 12), ("d_{}", 4), ("²", 1), ("d = 2", 3),
        ],
    )  # fmt: skip
    def test_what_cannot_be_read_is_an_error_with_its_column(self, text, column):
        with pytest.raises(FormulaError) as error:
            parse(text)
        assert error.value.column == column

    @pytest.mark.parametrize("text", ["(" * 5000, "{" * 200 + "d" + "}" * 200, "d" * 20_000, "9" * 5000, "d+" * 4999 + "d"])
    def test_hostile_text_ends_quickly(self, text):
        with contextlib.suppress(FormulaError):
            parse(text)

    def test_equations(self):
        assert parse_equations("d_kv=d, m=8*d/3") == (("d_kv", d), ("m", parse("8*d/3")))
        assert dict(parse_equations("L=32,d=4096,V=32,000")) == {"L": Number(32), "d": Number(4096), "V": Number(32000)}

    @pytest.mark.parametrize("text", ["d", "d=", "=d", "d=1 m=2", "d=1, d=2", "2d=4", "d==2", "d=1,", "d=1;m=2"])
    def test_equations_that_cannot_be_read(self, text):
        with pytest.raises(FormulaError):
            parse_equations(text)


class TestValues:
    def test_expr_is_sympy(self):
        import sympy

        symbol = sympy.Symbol("d")
        assert (2 * d**2 + 8 * d / 3).expr == 2 * symbol**2 + sympy.Rational(8, 3) * symbol

    def test_evaluate_takes_arrays(self):
        numpy = pytest.importorskip("numpy")
        values = (d**2 + d * m).evaluate({"d": numpy.array([2, 3]), "m": numpy.array([5, 7])})
        assert values.tolist() == [14, 30]

    def test_a_missing_value_is_named(self):
        with pytest.raises(DeriveError, match="no value for m"):
            (d * m).evaluate({"d": 2})

    def test_notebooks_show_formulas(self):
        assert (2 * d)._repr_latex_() == r"$\displaystyle 2d$"

    def test_public_symbols(self):
        assert derive.d_kv == d_kv
        with pytest.raises(AttributeError):
            derive.nothing_of_the_kind  # noqa: B018
