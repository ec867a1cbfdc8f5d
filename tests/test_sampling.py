"""Formulas at one place: what is different there is different, what agrees may be equal."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.algebra.normal import equal
from derive.algebra.sampling import could_be_equal, value_there
from derive.formula.parse import parse
from derive.formula.tree import Applied, Name, Number

EQUAL = [
    ("L*(4*d^2 + 8*d^2)", "12*L*d^2"),
    ("(a + b)^2", "a^2 + 2*a*b + b^2"),
    ("(a^2 - b^2)/(a - b)", "a + b"),
    ("d/h*h", "d"),
    ("3", "6/2"),
]
DIFFERENT = [
    ("12*L*d^2", "13*L*d^2"),
    ("d_q", "d_kv"),
    ("a/b", "b/a"),
    ("d^2", "d^3"),
    ("L*d", "L*d + 1"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_formulas_agree(left, right):
    assert could_be_equal(parse(left), parse(right)) and value_there(parse(left)) == value_there(parse(right))


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_these_differ(left, right):
    assert not could_be_equal(parse(left), parse(right))


def test_the_value_is_exact_and_the_same_each_time():
    value = value_there(parse("d/(3*h)"))
    assert value == value_there(parse("d/(3*h)")) == Fraction(value_there(Name("d")), 3 * value_there(Name("h")))


def test_known_values_are_put_in():
    assert value_there(parse("d^2 + 1"), {"d": 7}) == 50
    assert value_there(parse("d^2 + h"), {"d": 7, "h": Fraction(1, 2)}) == Fraction(99, 2)


def test_what_was_known_is_not_added_to():
    known = {"d": 7}
    value_there(parse("d*h"), known)
    assert known == {"d": 7}


def test_what_cannot_be_worked_out_could_be_equal():
    unknown = Applied("softmax", (Name("x"),))
    assert value_there(unknown) is None
    assert could_be_equal(unknown, Number(3)) and could_be_equal(Number(3), unknown)
    assert value_there(parse("1/(d - d)")) is None


names = st.sampled_from(["d", "L", "V", "h", "m"]).map(Name)
formulas = st.recursive(
    names | st.integers(1, 9).map(Number),
    lambda inner: st.tuples(inner, inner).map(lambda both: both[0] + both[1]) | st.tuples(inner, inner).map(lambda both: both[0] * both[1]),
    max_leaves=6,
)


@given(formulas, formulas)
def test_it_never_denies_what_is_proved(left, right):
    assert could_be_equal(left, right) or not equal(left, right)
