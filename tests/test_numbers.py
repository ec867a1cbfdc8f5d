from fractions import Fraction

import pytest

from derive.formula.numbers import percent, rounded, scaled, significant


@pytest.mark.parametrize(
    ("value", "language", "text"),
    [
        (6_738_415_616, "en", "6.74B"), (6_738_415_616, "zh", "67.4 亿"), (124_439_808, "en", "124M"), (124_439_808, "zh", "1.24 亿"),
        (671_026_404_352, "en", "671B"), (671_026_404_352, "zh", "6,710 亿"), (999, "en", "999"), (12_345, "zh", "1.23 万"),
    ],
)  # fmt: skip
def test_large_units(value, language, text):
    assert scaled(value, language) == text


def test_significant_digits_are_exact():
    assert significant(Fraction(1, 3)) == "0.333"
    assert significant(Fraction(405, 10**7)) == "0.0000405"
    assert significant(Fraction(38597376, 10**6)) == "38.6"
    assert significant(0) == "0"
    assert significant(-Fraction(1, 3)) == "-0.333"
    assert rounded(Fraction(5, 2), 0) == "2"


def test_percent():
    assert percent(1, 3) == "33.3 %"
    assert percent(1, 1) == "100 %"
