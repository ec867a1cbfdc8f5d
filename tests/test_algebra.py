"""The normal form decides equality; factoring and arranging give back formulas that read like textbooks."""

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from derive.algebra.arrange import residual, simplified
from derive.algebra.factor import factored
from derive.algebra.leading import tends_to_one
from derive.algebra.normal import equal, normal
from derive.errors import UndecidedError
from derive.formula.parse import parse
from derive.formula.tree import Name, Number

VALUES = {"d": 7, "m": 11, "L": 3, "V": 13, "c": 2, "k": 5, "E": 17}
SMALL = st.recursive(
    st.sampled_from([Name(name) for name in VALUES]) | st.integers(-3, 5).map(Number),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        st.tuples(inner, st.integers(0, 3)).map(lambda pair: pair[0] ** pair[1]),
    ),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("L(2d^2 + 2d*d_kv + 3dm + 2d) + d + cVd", "2Ld^2 + 2L*d*d_kv + 3Ldm + 2Ld + cVd + d"),
        ("(d + m)^3", "d^3 + 3d^2 m + 3d m^2 + m^3"),
        ("d/h + d/h", "2d/h"),
        ("1/d - 1/m", "(m - d)/(dm)"),
        ("(d^2 - m^2)/(d - m)", "d + m"),
        ("(1/3)*67108864", "67108864/3"),
        ("d^(-1)", "1/d"),
        ("d^(4/2)", "d^(1+1)"),
    ],
)
def test_equal(left, right):
    assert equal(parse(left), parse(right))


@pytest.mark.parametrize(
    ("left", "right"), [("12Ld^2", "13d^2"), ("4d^2 + 4d", "4d^2 + 5d"), ("d/m", "m/d"), ("d", "1"), ("d^500000*d^500000*d^48576", "m")]
)
def test_different(left, right):
    assert not equal(parse(left), parse(right))


@given(SMALL, SMALL)
@settings(max_examples=200, deadline=None)
def test_the_normal_form_agrees_with_sympy(left, right):
    import sympy

    assert equal(left, right) == (sympy.expand(left.expr - right.expr) == 0)


@given(SMALL)
@settings(max_examples=200, deadline=None)
def test_simplifying_and_expanding_keep_the_value(formula):
    assert simplified(formula).evaluate(VALUES) == formula.evaluate(VALUES) == formula.expand().evaluate(VALUES)


@given(SMALL)
@settings(max_examples=60, deadline=None)
def test_factoring_keeps_the_value(formula):
    try:
        found = factored(formula)
    except UndecidedError:  # beyond the bounds
        reject()
    assert found.evaluate(VALUES) == formula.evaluate(VALUES)


def test_a_common_monomial_cancels():
    assert simplified(parse("m/m + m")).text == "1 + m"
    assert simplified(parse("3d(d^2 + d)/d")).text == "3d² + 3d"


@pytest.mark.parametrize("text", ["d^60 - L^60", "(d+L+E+k+V)^6 + (c+n+B+b+r)^5", "d^500000 + 1"])
def test_factoring_is_bounded(text):
    with pytest.raises(UndecidedError):
        factored(parse(text))


def test_the_residual_keeps_the_order_of_the_left():
    assert residual(parse("L(2d^2 + 3dm) + cVd"), parse("12Ld^2")).text == "-10Ld² + 3Ldm + cVd"
    assert residual(parse("4d^2"), parse("4d*d")) == Number(0)


@pytest.mark.parametrize(
    ("formula", "factors"),
    [
        ("2d^2 + 2d*d_kv", "2d(d + d_kv)"),
        ("4d^2 + 4d", "4d(d + 1)"),
        ("2d*d_q + 2d*d_kv + 3dm + 2d", "d(2d_q + 2d_kv + 3m + 2)"),
        ("d^2/h - h", "(d - h)(d + h)/h"),
        ("12", "12"),
        ("m - d", "m - d"),
        ("3d(d^2 - h^2)/(d - h)", "3d(d + h)"),
        ("6d/(4d*m)", "(3/2)(1/m)"),
        ("L(2d^2 + 3dm + 2d) + d + cVd", "d(2Ld + 3Lm + 2L + 1 + cV)"),
    ],
)
def test_factored(formula, factors):
    assert factored(parse(formula)).text == parse(factors).text


@pytest.mark.parametrize(
    ("left", "right", "scaling", "holds"),
    [
        ("12Ld^2", "L(12d^2 + 13d) + Vd", ("d",), True),
        ("12Ld^2", "L(12d^2 + 13d) + Vd", ("L",), False),
        ("12Ld^2", "L(12d^2 + 13d) + Vd", ("d", "V"), False),
        ("2d*d_kv + 3dm", "2d*d_kv + 3dm + 2d", ("d", "d_kv", "m"), True),
        ("d/(d + 1)", "1", ("d",), True),
    ],
)
def test_tends_to_one(left, right, scaling, holds):
    assert tends_to_one(parse(left), parse(right), scaling) is holds


@pytest.mark.parametrize(
    "text",
    [
        "(d + m + L + V)^1000000000",
        "9^9^9",
        "(9^(99999))^(99999)",
        "d^(1/2)",
        "2^d",
        "1/(d - d)",
        "(" + "+".join("abcdefghij") + ")^60",
    ],
)
def test_what_the_normal_form_does_not_reach_is_undecided(text):
    from derive.errors import FormulaError

    with pytest.raises((UndecidedError, FormulaError)):
        equal(parse(text), parse("d"))


def test_denominators_that_are_multiples_of_one_another_stay_of_one_degree():
    """1/(3m + 3) + 1/(4m + 4) = 7/(12m + 12), not over the product of both."""
    form = normal(parse("1/(3*m + 3) + 1/(4*m + 4)"))
    assert max(form.ring.degree(monomial, "m") for monomial in form.denominator) == 1
    assert equal(parse("1/(3*m + 3) + 1/(4*m + 4)"), parse("7/(12*m + 12)"))
