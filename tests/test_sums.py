"""Lists of parts with a total: items, lines of code, rows of a display."""

import pytest

from derive.checker.checking import check_text


def sums(text):
    """What is said of totals: line, verdict, and the message."""
    return [(each.line, each.verdict, each.message) for each in check_text(text).findings if each.reads_as.startswith("the sum of")]


def display(total):
    rows = (r"\text{weights} &= 14\text{ GB}", r"\text{cache} &= 1.2\text{ GB}", rf"\text{{total}} &= {total}\text{{ GB}}")
    return r"$$\begin{aligned}" + r"\\ ".join(rows) + r"\end{aligned}$$"


RIGHT = [
    ("- weights: 14 GB\n- cache: 1.2 GB\n- total: 15.2 GB", 3),
    ("- 权重：14 GB\n- 缓存：1.2 GB\n- 合计：15.2 GB", 3),
    ("- **attention**: 2,359,296\n- **FFN**: 4,718,592\n- **Total**: 7,077,888", 3),
    ("```\nweights = 7 * 2 = 14\ncache = 3\ntotal = 17\n```", 4),
    ("- per layer: 12,596,224\n- 24 layers: 24 × 12,596,224 = 302,309,376\n- head: 51,463,168\n- total: 353,772,544", 4),
    (display("15.2"), 1),
]
WRONG = [
    ("- weights: 14 GB\n- cache: 3 GB\n- total: 18.5 GB", 3, "the parts add up to 17 GB"),
    ("- attention: 2,359,296\n- FFN: 4,718,592\n- total: 7,500,000", 3, "the parts add up to 7,077,888"),
    ("- 权重：200\n- 缓存：30\n- 总计：250", 3, "the parts add up to 230"),
    ("```\nweights: 140\ncache: 30\ntotal: 180\n```", 4, "the parts add up to 170"),
]
SILENT = [
    ("- weights: 14 GB\n- total: 15.2 GB", "one part is no list"),
    ("- weights: 14 GB\n- cache: 1.2 GB\n- total: 30 GB", "a total of other parts"),
    ("- weights: 14 GB\n- cache: 1.2 GB\n- other things\n- total: 16.2 GB", "a line of another form"),
    ("- weights: 14 GB\n- cache: 1.2 GB\n\nand now\n\n- total: 16.2 GB", "another list"),
    ("- attention: 200\n- FFN: 30\n- total per layer: 250", "a total per something"),
    ("- attention: 200\n- FFN: 30\n- subtotal: 250", "a part of a total"),
    ("- attention: 200\n- FFN: 30\n- 总计不含嵌入：250", "a total without something"),
    ("```python\nweights: 140\ncache: 30\ntotal: 180\n```", "a program"),
    ("```\nweights: 140\n\ncache: 30\ntotal: 180\n```", "parted by an empty line"),
    ("- weights: 14.1 GB\n- cache: 1.2 GB\n- total: 15.2 GB", "within the rounding of the parts"),
]


@pytest.mark.parametrize(("text", "line"), RIGHT)
def test_right(text, line):
    assert [(at, verdict) for at, verdict, _ in sums(text)] == [(line, "exact")]


@pytest.mark.parametrize(("text", "line", "message"), WRONG)
def test_wrong(text, line, message):
    assert sums(text) == [(line, "wrong", message)]


@pytest.mark.parametrize("text", [text for text, _ in SILENT], ids=[why for _, why in SILENT])
def test_nothing_is_said(text):
    assert sums(text) == []


def test_nothing_is_said_of_parts_that_are_wrong_themselves():
    assert sums("- attention: 4 × 50 = 210\n- FFN: 30\n- total: 240") == []
