"""The verdict on two numbers, row by row: what is computed, what is stated, and what is said of the pair."""

from fractions import Fraction

import pytest

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.intervals import interval_of
from derive.checker.arithmetic.judging import judge_numbers
from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.checker.arithmetic.writing import written_like
from derive.checker.arithmetic.written import with_binary_prefixes, written_numbers
from derive.formula.read import read_all

EXACT = "exact equal-numbers"
ROUNDED = "rounded rounded"
TRUNCATED = "approximation truncated"
NEAR = "approximation near"
BINARY = "exact-under binary-prefix"
WRONG = "wrong number"
UNIT = "wrong unit"

ROWS = [
    # as it stands
    ("4 * 4096^2", "=", "67108864", EXACT),
    ("50257 × 768", "=", "38,597,376", EXACT),
    ("4 * 4096^2", "=", "67108865", WRONG),
    ("4 * 4096^2", "=", "67,149,312", WRONG),
    ("12 / 8", "=", "1.5", EXACT),
    ("3 - 5", "=", "-2", EXACT),
    ("3 - 5", "=", "2", WRONG),
    ("5 - 5", "=", "0", EXACT),
    ("5 - 5", "=", "1", WRONG),
    ("0.1 + 0.2", "=", "0.3", EXACT),
    ("2 * 3.5e9", "=", "7e9", EXACT),
    ("10^50 * 3", "=", "3 × 10^50", EXACT),
    ("2^0.5", "=", "1.41421356237309505", ROUNDED),
    ("8 bytes", "=", "8B", EXACT),
    # rounded
    ("50257 × 768", "≈", "38.6M", ROUNDED),
    ("50257 × 768", "=", "38.6M", ROUNDED),
    ("50257 × 768", "=", "3.86 × 10^7", ROUNDED),
    ("50257 × 768", "≈", "38.5M", TRUNCATED),
    ("1 / 3", "=", "0.333", ROUNDED),
    ("2 / 3", "=", "0.667", ROUNDED),
    ("2 / 3", "=", "0.666", TRUNCATED),
    ("2 / 3", "=", "0.668", WRONG),
    ("1 / 8", "=", "0.12", ROUNDED),
    ("1 / 8", "=", "0.13", ROUNDED),
    ("1 / 3", "=", "33.3%", ROUNDED),
    ("1 / 3", "=", "33%", ROUNDED),
    ("1 / 3", "=", "34%", WRONG),
    ("7 / 2", "=", "4", ROUNDED),
    ("11 / 3", "=", "3", TRUNCATED),
    ("-2 / 3", "=", "-0.67", ROUNDED),
    ("-2 / 3", "=", "0.67", WRONG),
    ("12 * 768^2", "=", "7.1M", ROUNDED),
    ("12 * 768^2", "=", "7.0M", TRUNCATED),
    ("175 × 10^9 × 2", "=", "350 billion", EXACT),
    # in full, with zeros for want of digits
    ("151 * 151", "=", "22,000", WRONG),
    ("151 * 151", "=", "22,810", WRONG),
    ("151 * 151", "=", "23,000", ROUNDED),
    ("151 * 151", "≈", "23,000", ROUNDED),
    ("151 * 151", "≈", "22,800", ROUNDED),
    ("151 * 151", "≈", "22,801", EXACT),
    ("151 * 151", "≈", "22,803", NEAR),
    ("151 * 151", "=", "22,803", WRONG),
    ("151 * 151", "≈", "30,000", WRONG),
    # units
    ("7 × 10^9 × 2 bytes", "=", "14 GB", EXACT),
    ("7B × 2 bytes", "=", "14 GB", EXACT),
    ("7 × 10^9 × 2", "=", "14 GB", EXACT),
    ("7 × 2", "=", "14 GB", EXACT),
    ("7 × 2", "=", "14B", EXACT),
    ("7 × 10^9 × 2 bytes", "=", "28 GB", WRONG),
    ("7 × 10^9 × 2 bytes", "=", "14 MB", WRONG),
    ("80 GB / 40 GB", "=", "2", EXACT),
    ("100 GB / (2 GB/s)", "=", "50 s", EXACT),
    ("312 TFLOP/s × 0.5", "=", "156 TFLOP/s", EXACT),
    ("1 hour", "=", "3600 s", EXACT),
    ("16 bits", "=", "2 bytes", EXACT),
    ("67 × 32", "=", "2.14 billion", ROUNDED),
    # binary prefixes
    ("4 × 1024^3 bytes", "=", "4 GiB", EXACT),
    ("4 × 1024^3 bytes", "=", "4 GB", UNIT),
    ("4 × 1024^3 bytes", "≈", "4 GB", ROUNDED),
    ("40 × 1024^3 bytes", "≈", "40 GB", BINARY),
    ("4 × 1024^3 bytes", "=", "4.29 GB", ROUNDED),
    ("40 × 10^9 bytes", "=", "40 GiB", UNIT),
    ("4 × 10^9 bytes", "=", "3.73 GiB", ROUNDED),
    ("3 × 1024 × 2816", "=", "8.25M", BINARY),
    ("3 × 1024 × 2816", "=", "8.65M", ROUNDED),
    ("128 × 1024", "=", "128K", BINARY),
    ("320 KB × 131072", "=", "40 GB", BINARY),
    ("512 × 1024 bytes", "=", "512 KB", BINARY),
    # near
    ("50257 × 768", "≈", "38.7M", NEAR),
    ("50257 × 768", "≈", "39.5M", WRONG),
    ("12 × 12 × 768^2", "≈", "85.2M", NEAR),
    ("1.5 × 1.5", "=", "2.2", ROUNDED),
    ("12.3 × 4.56", "=", "56.3", NEAR),
    ("35000", "≈", "32k", NEAR),
    ("35000", "=", "32k", WRONG),
    ("7,220,000", "≈", "7.3M", NEAR),
    ("7,220,000", "≈", "7.4M", WRONG),
    ("128 × 1024 × 1000 bytes", "=", "128 MB", NEAR),
    # wrong, by how much
    ("12 × 768^2", "=", "14.2M", WRONG),
    ("12 × 768^2", "=", "7.1B", WRONG),
    ("12 × 768^2", "=", "71M", WRONG),
]


def pair(computed, claim):
    """The two sides as the checker makes them ready for judging."""
    side = read_all(computed, plain=True)[0].sides[0]
    formula, units = side.formula, side.units
    has_unit = bool(units) or any(number.scale for number in written_numbers(formula))
    binary, binary_units = with_binary_prefixes(formula, units)
    made = Computed(
        value_of(formula, UNIT_VALUES),
        has_unit,
        lambda: interval_of(formula, UNIT_VALUES),
        lambda: value_of(formula, dict.fromkeys(units, Fraction(1))),
        (lambda: value_of(binary, binary_units)) if has_unit else None,
    )
    return made, read_all(claim, plain=True)[0].sides[0].claim


def judged(computed, relation, claim):
    made, stated = pair(computed, claim)
    return judge_numbers(made, stated, loose=relation == "≈")


@pytest.mark.parametrize(("computed", "relation", "claim", "said"), ROWS, ids=lambda each: str(each).replace(" ", ""))
def test_verdict(computed, relation, claim, said):
    found = judged(computed, relation, claim)
    assert f"{found.verdict} {found.code}" == said, found


def test_there_are_enough():
    assert len(ROWS) >= 60


class TestWhatIsSaid:
    """The message, the right value written like the stated one, and how far off that is."""

    def test_the_right_value_has_the_unit_and_the_scale_of_the_claim(self):
        assert judged("12 × 768^2", "=", "14.2M").right == "7.078M"
        assert judged("7 × 10^9 × 2 bytes", "=", "28 GB").right == "14 GB"
        assert judged("4 * 4096^2", "=", "67,149,312").right == "67,108,864"
        assert judged("50257 × 768", "=", "4.86 × 10^7").right == "3.86·10^7"

    def test_a_plain_factor_is_named(self):
        assert judged("12 × 768^2", "=", "14.2M").message == "it is 7.078M; twice that is stated"
        assert judged("7 × 10^9 × 2 bytes", "=", "14 MB").message == "it is 14,000 MB; 10^-3 times that is stated"
        assert judged("12 × 768^2", "=", "9.9M").message == "it is 7.078M"

    def test_an_implied_unit_is_said(self):
        assert judged("7 × 2", "=", "14 GB").message == "equal, its unit (GB) implied on the other side"

    def test_the_binary_unit_is_the_assumption(self):
        assert judged("3 × 1024 × 2816", "=", "8.25M").assumptions == ("M = Mi",)
        assert judged("320 KB × 131072", "=", "40 GB").assumptions == ("prefixes are powers of 1024",)

    def test_the_relative_error_is_of_the_stated_number(self):
        assert judged("100", "=", "150").relative_error == Fraction(1, 2)
        assert judged("100", "=", "50").relative_error == Fraction(-1, 2)

    def test_nothing_is_said_of_what_is_exact(self):
        found = judged("4 * 4096^2", "=", "67108864")
        assert found.right is None and found.relative_error is None and found.assumptions == ()


LIKE = [
    (67108864, "1", "67,108,864"),
    (Fraction(1, 3), "0.5", "0.3333"),
    (38597376, "38.7M", "38.60M"),
    (38597376, "3.9 × 10^7", "3.86·10^7"),
    (12345678901234567, "5.5", "1.235·10^16"),
    (14 * 10**9, "28 GB", "14 GB"),
    (14 * 10**9, "13.9 GiB", "13.04 GiB"),
]


@pytest.mark.parametrize(("value", "claim", "text"), LIKE)
def test_written_like(value, claim, text):
    assert written_like(Fraction(value), pair("1", claim)[1], more=1) == text


def test_units_that_do_not_fit_together_leave_the_bare_numbers():
    """`4 bytes / (1024^3 GB)`: the numbers hold, whatever the units say."""
    assert judged("2 × 4 GB / (1 GB)", "=", "8 GB").verdict == "exact"
    assert judged("8.5 × 10^9 bytes / (1024^3 GB)", "=", "7.92 GB").verdict == "rounded"


def test_a_right_value_of_zero():
    assert judged("5 - 5", "=", "1").message == "the other side is 0"
