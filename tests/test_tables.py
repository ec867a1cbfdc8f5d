"""Tables: a computation beside its number, a column that its head computes, a formula beside its name, parts and their total."""

import pytest

from derive.checker.checking import check_text
from derive.checker.tables.tables import MOST_ROWS
from derive.checker.tables.totals import is_total


def table(head, *rows):
    lines = [head, ["--"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def verdicts(text):
    return [(each.line, each.verdict, each.code) for each in check_text(text).findings]


BESIDE = [
    (("emb", "50257 × 768", "38,597,376"), "exact", "equal-numbers"),
    (("50257 × 768", "38,597,376", ""), "exact", "equal-numbers"),
    (("emb", "50257 × 768", "38.6M"), "rounded", "rounded"),
    (("emb", "50257 × 768", "~38.7M"), "approximation", "near"),
    (("emb", "50257 × 768", "约 38.6M"), "rounded", "rounded"),
    (("emb", "$50257 \\times 768$", "$38{,}597{,}376$"), "exact", "equal-numbers"),
    (("emb", "50257 × 768", "38,597,377"), "wrong", "number"),
    (("emb", "50257 × 768", "48.6M"), "wrong", "number"),
    (("emb", "7B × 2 bytes", "14 GB"), "exact", "equal-numbers"),
    (("emb", "38,597,376", "`50257 × 768`"), "exact", "equal-numbers"),
]


@pytest.mark.parametrize(("row", "verdict", "code"), BESIDE)
def test_a_computation_beside_its_number(row, verdict, code):
    assert verdicts(table(("part", "how", "parameters"), row)) == [(3, verdict, code)]


def test_the_nearest_number_of_the_row_is_meant():
    assert verdicts(table(("part", "how", "a", "b"), ("emb", "50257 × 768", "12", "38,597,376"))) == [(3, "exact", "equal-numbers")]


def test_a_number_that_is_far_is_another():
    assert verdicts(table(("part", "how", "a"), ("emb", "50257 × 768", "12"))) == []


class TestHeads:
    """A column whose head is a formula in the letters that head the others."""

    HEAD = ("h", "n", "12nh²")

    def test_right(self):
        assert verdicts(table(self.HEAD, ("768", "12", "84,934,656"))) == [(3, "exact", "equal-numbers")]

    def test_wrong(self):
        assert verdicts(table(self.HEAD, ("768", "12", "84,934,656"), ("1024", "24", "301,989,889")))[1] == (4, "wrong", "number")

    def test_a_letter_without_a_column(self):
        assert verdicts(table(("h", "12nh²"), ("768", "84,934,657"))) == []


class TestNames:
    """A formula beside what its row and its column name."""

    def test_the_quantity(self):
        text = table(("part", "params"), ("attention", "$4d^2$"), ("FFN", "$8d^2$"))
        assert verdicts(text) == [(3, "exact-under", "equal-under"), (4, "exact-under", "equal-under")]

    def test_no_quantity(self):
        assert verdicts(table(("part", "params"), ("colour", "$4d^2$"))) == []


class TestTotals:
    """The last row against the parts above it, column by column."""

    def rows(self, *totals):
        return table(("part", "a", "b"), ("x", "1,000", "14"), ("y", "3,000", "1.2"), ("total", *totals))

    def test_right(self):
        assert verdicts(self.rows("4,000", "15.2")) == [(5, "exact", "equal-numbers"), (5, "exact", "equal-numbers")]

    def test_one_column_is_wrong(self):
        assert verdicts(self.rows("4,100", "15.2")) == [(5, "wrong", "sum"), (5, "exact", "equal-numbers")]

    def test_a_part_of_a_part_is_not_counted(self):
        text = table(("part", "GB"), ("weights", "14"), ("of which FFN", "9"), ("cache", "1.2"), ("total", "15.2"))
        assert verdicts(text) == [(6, "exact", "equal-numbers")]

    def test_a_part_that_is_no_number(self):
        assert verdicts(table(("part", "GB"), ("weights", "14"), ("cache", "?"), ("total", "15"))) == []

    def test_nothing_is_said_where_a_part_is_wrong(self):
        text = table(("part", "how", "n"), ("x", "4 × 50", "210"), ("y", "", "30"), ("total", "", "250"))
        assert verdicts(text) == [(3, "wrong", "number")]

    def test_a_table_that_is_too_long_is_left_out(self):
        rows = [("x", "1")] * MOST_ROWS
        assert verdicts(table(("part", "n"), *rows, ("total", str(MOST_ROWS + 100)))) == []


@pytest.mark.parametrize("label", ["total", "Total", "**Total**", "Grand total", "the sum", "Sum", "overall", "合计", "总计", "共计"])
def test_a_total(label):
    assert is_total(label)


@pytest.mark.parametrize(
    "label", ["subtotal", "小计", "total per layer", "active total", "总计（不含嵌入）", "total without embeddings", "weights", ""]
)
def test_no_total(label):
    assert not is_total(label)
