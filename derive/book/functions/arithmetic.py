"""Sums that a chapter works out in front of the reader: a formula, numbers put in, the result."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Unpack

from derive.algebra.normal import equal
from derive.book import words
from derive.book.functions.known_names import read_formula
from derive.book.functions.sizes import Options, check_model, conditions_on, resolved, sizes_of, value_of
from derive.book.voice import Voice, alike, digits, figures, in_units, short
from derive.book.writing import aligned, chain, display
from derive.costs.memory import training_scheme
from derive.derivation import Derivation, begin, given, prove
from derive.errors import ChapterError, StepError
from derive.formula.numbers import decimal
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, Name, Number, Quotient
from derive.quantities import Variant
from derive.symbols import BY_NAME
from derive.text import Text

_UNITS = {
    **{f"{letter}B": 1000**power for power, letter in enumerate("KMGT", start=1)},
    **{f"{letter}iB": 1024**power for power, letter in enumerate("KMGT", start=1)},
}


class Arithmetic(Voice):
    """Numbers worked out, in a sentence or as a display."""

    __slots__ = ()

    def computed(self, text: str, at: str = "", **variant: Unpack[Options]) -> str:
        """`V d = 50,257 · 768 = 38,597,376` in a sentence; a name may stand before, as in `P_tok = V*d`, and must be what it comes to."""
        left, sides = self._sides(text, at, **variant)
        return self._equation([*left, *sides]) + self._decimals(sides[-1])

    def computation(self, text: str, at: str = "", **variant: Unpack[Options]) -> str:
        """What `computed` says, as a display, broken where it is wide."""
        left, (formula, *sides) = self._sides(text, at, **variant)
        start, rights = (left[0], [formula, *sides]) if left else (formula, sides)
        return display(chain(start, rights, self.dialect))

    def roughly(self, text: str, at: str = "", digits: int = 3, **variant: Unpack[Options]) -> str:
        """The number in the reader's large units: `6.44B`, `64.4 亿`."""
        return in_units(value_of(text, at, Variant(**variant)), self.language, digits)

    def scientific(self, text: str, at: str = "", digits: int = 3) -> str:
        """A number too long for digit groups, or very small: `3.15 · 10^23`, in a sentence."""
        value = Fraction(value_of(text, at))
        if not value:
            raise ChapterError(f"scientific('{text}'): zero has no power of ten; use value()")
        mantissa, power = _scientific(value, digits)
        return rf"${mantissa} \cdot 10^{{{power}}}$"

    def size(self, text: str, at: str = "", unit: str = "GB", digits: int = 3) -> str:
        """Bytes in a unit, one of `KB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB`: `14.0 GB`."""
        if unit not in _UNITS:
            raise ChapterError(f"size: no unit '{unit}'; known: {', '.join(_UNITS)}")
        return f"{figures(Fraction(value_of(text, at)) / _UNITS[unit], digits)} {unit}"

    def change_of(self, new: str, old: str, at: str = "") -> str:
        """By how much one formula is more or less than another: `−37.5 %`."""
        before = Fraction(value_of(old, at))
        return self._percent(value_of(new, at) - before, before)

    def number(self, text: str, at: str = "", digits: int = 6) -> str:
        """A number that need not be whole, with at most so many digits."""
        return short(Fraction(value_of(text, at)), digits)

    def equation_of(self, text: str) -> str:
        """A definition as a display; its left side is a symbol."""
        name, equals, right = text.partition("=")
        left = read_formula(name)
        if not (equals and isinstance(left, Name) and (left.name in BY_NAME or resolved(left) == left)):
            raise ChapterError(f"equation_of('{text}') defines a symbol, as 'd_h = d/h' does; use equation() for what a quantity comes to")
        return self._display([left, read_formula(right)])

    def derivation_of(self, text: str, conditions: str) -> str:
        """A formula and what it becomes under conditions, as a display with the reason."""
        formula = resolved(read_formula(text))
        begun = begin(formula, formula, Text("", ""))
        line = prove(begun, given(conditions_on(conditions, formula.names)))
        return display(aligned(Derivation(formula, (line,), {}), self.language, self.dialect))

    def form_of(self, text: str, written: str) -> str:
        """A formula in a sentence, written another way, which must be the same."""
        one, other = read_formula(text), read_formula(written)
        if not equal(resolved(one), resolved(other)):
            raise StepError(f"{written} is not {text}")
        return self._equation([one, other])

    def derivation_of_bytes(self, at: str, scheme: str = "mixed") -> str:
        """The training state of so many parameters (`P=7*10^9`, or a model), part by part: bytes of one parameter, and of all."""
        found = training_scheme(scheme)
        P = value_of("P", at)
        parts = (("weights", found.weights), *found.gradients, *found.optimizer)
        rows = [[words.STATE[name].in_(self.language), self._inline(size * Name("P")), _giga(size * P)] for name, size in parts]
        each = found.bytes_per_parameter
        total = (words.TOTAL.in_(self.language), self._inline(each * Name("P")), _giga(each * P))
        rows.append([f"**{total[0]}**", total[1], f"**{total[2]}**"])
        return self._table((words.KEPT, words.BYTES_ALONE, words.GIGABYTES), rows, (2,))

    def compression(self, ranks: Sequence[int], d: int) -> str:
        """How many times smaller than a square matrix its update of some rank is."""
        rows = []
        for r in ranks:
            trained = 2 * r * d
            rows.append([digits(r), digits(trained), short(Fraction(d * d, trained)), self._percent(trained, d * d)])
        return self._table((alike(self._inline(Name("r"))), words.TRAINABLE, words.TIMES_FEWER, words.SHARE), rows, (0, 1, 2, 3))

    def same_count(self, text: str, *sizes: str) -> str:
        """A table of sizes (`"d=768, h=6", "d=768, h=12"`) at which a formula comes to the same number."""
        at = [sizes_of(each)[0] for each in sizes if "=" in each.partition(",")[0]]
        if len(at) < len(sizes) or any(each.keys() != at[0].keys() for each in at):
            raise ChapterError("same_count: sizes as equations, in every row of the same symbols")
        numbers = {value_of(text, each) for each in sizes}
        if len(numbers) > 1:
            raise StepError(f"{text} is not the same number everywhere: {', '.join(sorted(map(str, numbers)))}")
        shown = [each | ({"d_h": Fraction(each["d"], each["h"])} if {"d", "h"} <= each.keys() else {}) for each in at]
        rows = [[*map(digits, each.values()), *map(digits, numbers)] for each in shown]
        heading = [alike(self._inline(read_formula(name, each))) for each in shown[:1] for name in (*each, text)]
        return self._table(heading, rows, range(len(heading)))

    def explained(self, whole: str, parts: Sequence[str], at: str) -> str:
        """A number taken apart: a table of formulas that must add up to it."""
        total, values = value_of(whole, at), [value_of(part, at) for part in parts]
        if sum(values) != total:
            raise StepError(f"the parts of {whole} add up to {sum(values)}, not to {total}")
        rows = [
            [self._inline(read_formula(part, sizes_of(at)[0])), digits(value), self._share_in_table(value, total)]
            for part, value in zip(parts, values, strict=True)
        ]
        rows.append([f"**{words.TOTAL.in_(self.language)}**", f"**{digits(total)}**", f"**{self._percent(1, 1)}**"])
        return self._table((words.FORMULA, words.VALUE, words.SHARE), rows, (1, 2))

    def billions(self, *names: int) -> str:
        """What so many B (7, 70, 671) are in full, and in units of 10^8 as Chinese counts."""
        rows = [[f"{each}B", f"{each * 10} {words.HUNDRED_MILLION.in_(self.language)}", digits(each * 10**9)] for each in names]
        return self._table((words.IN_ENGLISH, words.IN_CHINESE, words.IN_FULL), rows, (0, 1, 2))

    def _sides(self, text: str, at: str, **variant: Unpack[Options]) -> tuple[list[Formula], list[Formula]]:
        """The name on the left, if any: one before the formula, or the quantity asked for; then the formula, numbers put in, the result."""
        name, equals, right = text.rpartition("=")
        sizes, kind = sizes_of(at)[0], Variant(**variant)
        left = [read_formula(name, sizes)] if equals else []
        if left and not isinstance(left[0], Name):
            raise ChapterError(f"'{text}': only a name may stand before the formula")
        formula, result = read_formula(right, sizes), Number(Fraction(value_of(right, at, kind)))
        closed = resolved(formula, kind)
        if left:
            _check_name(left[0], closed, at, kind)
        elif isinstance(formula, Name) and closed != formula:
            left = [formula]
        shown = closed if closed.names and set(formula.names) != set(closed.names) else formula
        put = with_numbers(shown, sizes)
        if not equal(put, result):
            raise StepError(f"{text}: {put.text} is not {result.text}")
        return left, list(dict.fromkeys((shown, put, result)))

    def _decimals(self, result: Formula) -> str:
        """The decimals of a fraction, behind it; nothing for a whole number."""
        if not isinstance(result, (Number, Quotient)):
            return ""
        value = Fraction(result.evaluate({}))
        if value.denominator == 1:
            return ""
        text = short(value)
        return f" ($\\approx {text}$)" if Fraction(text.replace(",", "")) != value else f" ($= {text}$)"


def _check_name(left: Formula, closed: Formula, at: str, kind: Variant) -> None:
    """A name that has a value of its own, as a quantity or among the sizes, must have that of what it stands before."""
    sizes, read = sizes_of(at)
    check_model(left.names, kind, sizes, read)
    own = resolved(left, kind)
    if own == left and left.text not in sizes:
        return
    value = Number(own.evaluate(sizes))
    if value != Number(closed.evaluate(sizes)):
        raise StepError(f"{left.text} is {value.text if own == left else own.text}, not {closed.text}")


def _scientific(value: Fraction, digits: int) -> tuple[str, int]:
    """A number of one digit before the point, rounded on the exact value, and the power of ten that it is times."""
    power = len(str(abs(value.numerator))) - len(str(value.denominator))
    power -= abs(value) < Fraction(10) ** power
    mantissa = decimal(value / Fraction(10) ** power, digits)
    return (mantissa.replace("10", "1"), power + 1) if mantissa in ("10", "-10") else (mantissa, power)


def _giga(size: Any) -> str:
    return short(Fraction(size, 10**9))
