"""A document's equations: where one goes on over a line or a display, what a block of code holds, what is said again in other digits."""

import pytest

from derive.checker.equations.blocks import equations
from derive.documents.reading import document_of


def found(text, format="md"):
    return list(equations(document_of(text, "a.md", format)))


def read(text, format="md"):
    return [str(each.statement) for each in found(text, format)]


class TestContinuation:
    """A statement that goes on behind a line break, or in the next display."""

    LINES = (
        ("12 × 768²\n= 7,077,888", ["12·768² = 7,077,888"]),
        ("12 × 768² =\n7,077,888", ["12·768² = 7,077,888"]),
        ("12 × 768² +\n5 = 3", ["12·768² + 5 = 3"]),
        ("12 × 768²\n× 2 = 3", ["12·768²·2 = 3"]),
        ("12 × 768² = 7,077,888\n≈ 7.1M", ["12·768² = 7,077,888 ≈ 7.1M"]),
        ("3 × 4 = 12\n5 × 6 = 30", ["3·4 = 12", "5·6 = 30"]),
        ("seq_len=8192, batch_size=32\n= 3", ["seq_len = 8192", "batch_size = 32"]),
        ("```\n3 × 4\n+ 5 = 17\n```", []),
        ("```\nP = 3 × 4\n  + 5\n```", ["P = 3·4 + 5"]),
    )

    @pytest.mark.parametrize(("text", "statements"), LINES)
    def test_lines(self, text, statements):
        assert read(text) == statements

    def test_a_display_that_begins_with_a_relation(self):
        assert read("$$P = 12Ld^2$$\n\n$$= 84,934,656$$") == ["P = 12Ld²", "12Ld² = 84,934,656"]

    def test_words_between_the_displays(self):
        assert read("$$P = 12Ld^2$$\n\nor nearly\n\n$$\\approx 85M$$") == ["P = 12Ld²", "12Ld² ≈ 85M"]

    def test_too_far_apart(self):
        assert read("$$P = 3$$\n\na\n\nb\n\nc\n\n$$= 4$$") == ["P = 3", "4"]

    def test_the_places_are_those_of_both_displays(self):
        text = "$$P = 12Ld^2$$\n\n$$= 84,934,656$$"
        equation = found(text)[1]
        start, end = (equation.offsets[at] for at in (equation.statement.start, equation.statement.end))
        assert text[start:end].startswith("12Ld^2$$") and text[start:end].endswith("84,934,656")


class TestCode:
    """Lines of a block without a language, the comments of a program, nothing of the program itself."""

    BLOCKS = (
        ("```\n3 * 4 = 12\n5 * 5 = 25\n```", ["3·4 = 12", "5·5 = 25"]),
        ("```text\n3 * 4 = 12\n```", ["3·4 = 12"]),
        ("```python\nx = 3 * 4  # 3 × 4 = 12\n```", ["3·4 = 12"]),
        ("```\nimport x\ny = 3 * 4\n# 3 * 4 = 13\n```", ["3·4 = 13"]),
        ("```cpp\nint a = 3; // 3 * 4 = 12\n```", ["3·4 = 12"]),
        ("```math\n3 * 4 = 12\n```", ["3·4 = 12"]),
        ("```latex\n3 \\cdot 4 = 12\n```", ["3·4 = 12"]),
        ('```json\n{"a": 3}\n```', []),
        ("`4 * 4 = 16` is code", ["4·4 = 16"]),
        ("`d` alone", []),
        (r"`4 \cdot 4 = 16` is LaTeX", ["4·4 = 16"]),
    )

    @pytest.mark.parametrize(("text", "statements"), BLOCKS)
    def test_blocks(self, text, statements):
        assert read(text) == statements


class TestParagraphs:
    """Mathematics, code and words of one paragraph."""

    WOVEN = (
        ("the head has $Vd$ parameters", ["Vd"]),
        ("The sum $4d^2$ + $8d^2$ = $12d^2$.", ["4d² + 8d² = 12d²"]),
        ("so `4d² ` = 3", ["4d² = 3"]),
        ("$a = b$ and $c$; $d$ is", ["a = b"]),
        ("$x = 75$ MB", ["x = 75MB"]),
        ("$x = 7$ heads", ["x = 7heads"]),
        ("$x = 75$ of them", ["x = 75"]),
        ("$x = 75$ GB/s", ["x = 75(GB/s)"]),
        ("$x = 75$ B", ["x = 75"]),
        ("$P = d_1 + 2$ MB", ["P = d_1 + 2"]),
        (r"so $1.31 \cdot 12$ $= 15.72$ at most", ["1.31·12 = 15.72"]),
        ("> 3 × 4 = 12", ["3·4 = 12"]),
        ("# 3 × 4 = 12", ["3·4 = 12"]),
        ("- 3 × 4 = 12\n- 5 × 5 = 25", ["3·4 = 12", "5·5 = 25"]),
        ("| a | b |\n|--|--|\n| 3 × 4 = 12 | $5 = 5$ |", ["3·4 = 12", "5 = 5"]),
    )

    @pytest.mark.parametrize(("text", "statements"), WOVEN)
    def test_statements(self, text, statements):
        assert read(text) == statements

    def test_the_label_is_what_stands_before_in_the_sentence(self):
        equation = found("A model. The head has $Vd = 3$ parameters.")[0]
        assert equation.label.strip() == "The head has" and equation.kind == "math"
        assert equation.around == "A model. The head has   parameters."

    def test_the_label_of_a_display_is_the_paragraph_before(self):
        assert found("The total is\n\n$$P = 3$$")[0].label == "The total is"

    def test_every_place_is_in_the_document(self):
        text = "在 $12Ld^2$ + `3` = $4$，其中 d = 768，约为 $5$ GB。\n\n$$x = 3$$"
        for equation in found(text):
            assert all(0 <= offset <= len(text) for offset in equation.offsets)
            assert list(equation.offsets) == sorted(equation.offsets)


class TestSaidAgain:
    """The last side in other digits, behind it: a statement of its own."""

    AGAIN = (
        ("4 × 1610612736 = 6,442,450,944 (约 64.4 亿)", "6,442,450,944 ≈ 64.4亿"),
        ("50257 × 768 = 38,597,376, i.e. about 38.6M", "38,597,376 ≈ 38.6M"),
        ("50257 × 768 = 38,597,376 (≈ 38.6M)", "38,597,376 ≈ 38.6M"),
        ("$50257 \\times 768 = 38{,}597{,}376$ (about 38.6M)", "38,597,376 ≈ 38.6M"),
    )

    @pytest.mark.parametrize(("text", "again"), AGAIN)
    def test_again(self, text, again):
        assert read(text)[-1] == again

    @pytest.mark.parametrize("text", ["3 × 4 = 12 (about 5 days)", "3 × 4 = 12, about 12 heads", "3 × 4 = 12 (see 5)"])
    def test_another_thing(self, text):
        assert read(text) == ["3·4 = 12"]
