"""Mistakes shown to be mistakes: what is printed beside what is right, and the verdict of the checker on a wrong equation."""

from __future__ import annotations

from fractions import Fraction

from derive.book import words
from derive.book.functions.known_names import read_formula
from derive.book.functions.sizes import resolved, sizes_of, value_of
from derive.book.voice import Voice, digits, figures
from derive.errors import ChapterError
from derive.formula.parse import parse
from derive.formula.tree import Formula

OFF, ON = "<!-- derive: off -->", "<!-- derive: on -->"


class Mistakes(Voice):
    """A mistake that turns out to be right is an error: the chapter is not rendered."""

    __slots__ = ()

    def beside(self, printed: str, right: str, at: str = "") -> str:
        """A table of the wrong formula and the right one with their values at some sizes, which must differ."""
        wrong_value, value = (Fraction(value_of(text, at)) for text in (printed, right))
        if wrong_value == value:
            raise ChapterError(f"'{printed}' is shown as a mistake, but comes to {digits(value)} as '{right}' does")
        rows = []
        for label, text, number in ((words.PRINTED, printed, wrong_value), (words.RIGHT, right, value)):
            shown = words.EXACT.in_(self.language) if text == "P" else self._inline(_shown(text, at))
            rows.append([label.in_(self.language), shown, digits(number)])
        rows.append([words.OFF.in_(self.language), "", self._off(wrong_value - value, value)])
        return self._table((words.EMPTY, words.FORMULA, words.VALUE), rows, (2,))

    def wrong(self, equation: str, given: str = "") -> str:
        """A table of a wrong equation as it is printed, and what the checker says is right; `given` are sizes (`d=4096`) that the text
        states.
        """
        sides = [parse(side) for side in equation.split("=")]
        sizes = [part.strip() for part in given.split(",") if part.strip()]
        context = "\n\n".join(self._equation([parse(side) for side in size.split("=")]) for size in sizes)
        written = self._equation(sides)
        right = _right(f"{context}\n\n{written}", equation)
        taking = "，取 " if self.language == "zh" else " with "
        stated = taking + ", ".join(self._equation([parse(side) for side in size.split("=")]) for size in sizes) if sizes else ""
        rows = [[words.PRINTED.in_(self.language), written + stated], [words.RIGHT.in_(self.language), self._inline(parse(right))]]
        return f"\n{OFF}\n{self._table((words.EMPTY, words.FORMULA), rows)}\n{ON}\n"

    def _off(self, off: Fraction, value: Fraction) -> str:
        """How far off, in percent or, where it is far, as a factor."""
        factor = (value + off) / value
        return f"×{figures(factor)}" if factor >= 3 else self._change(off, value)


def _right(document: str, equation: str) -> str:
    """What the checker says would be right; `ChapterError` where it finds nothing wrong."""
    from derive.checker.checking import check

    for finding in check(document):
        if finding.verdict == "wrong" and finding.right:
            return finding.right.replace(",", "")
    raise ChapterError(f"'{equation}' is shown as a mistake, but the checker does not find it wrong")


def _shown(text: str, at: str) -> Formula:
    """The formula as printed, quantities by their closed forms."""
    formula = read_formula(text, sizes_of(at)[0])
    closed = resolved(formula)
    return formula if set(closed.names) == set(formula.names) else closed
