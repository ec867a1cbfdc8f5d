"""Formulas and numbers inside a sentence: what a chapter states of them is proved, and every name in them is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Unpack, get_type_hints

from derive.algebra.arrange import residual
from derive.algebra.normal import equal
from derive.book.functions.known_names import quantity_named, read_formula, symbol
from derive.book.functions.sizes import Options, conditions_on, counted_as, resolved, value_of
from derive.book.voice import Voice, digits, figures, in_units
from derive.errors import ChapterError, StepError
from derive.formula.tree import Formula, Name, Number, Sum
from derive.quantities import Variant, quantities
from derive.symbols import BY_NAME


class Sentences(Voice):
    """Formulas inline, and numbers as text."""

    __slots__ = ()

    def math(self, text: str) -> str:
        """A formula inline. With `=` it is a condition or a name, so its left side must be a symbol of the vocabulary. Names that are
        neither the vocabulary's nor those of quantities and tensors are refused; an author's own stand in `$…$`, as Markdown has them.
        """
        left, equals, right = text.partition("=")
        formula = read_formula(left)
        if not equals and isinstance(formula, Sum):
            raise ChapterError(f"math('{text}') states a sum; use form() or extra(), which work it out")
        if not equals:
            return self._inline(formula)
        if not (isinstance(formula, Name) and formula.name in BY_NAME):
            raise ChapterError(f"math('{text}') states an equality; use claim(), which proves it")
        return self._equation([formula, read_formula(right)])

    def claim(self, text: str, conditions: str = "", **variant: Unpack[Options]) -> str:
        """An equality inline, proved: quantities stand for their closed forms, `conditions` (`d_kv=d, m=8*d/3`) for what is assumed."""
        sides = [read_formula(side) for side in text.split("=")]
        if len(sides) < 2:
            raise ChapterError(f"claim('{text}') claims no equality; use math() or form()")
        first, *others = self._closed(sides, conditions, **variant)
        for other in others:
            if not equal(first, other):
                raise StepError(f"the claim '{text}' is false: the sides differ by {residual(first, other).text}")
        return self._equation(sides)

    def form(self, text: str, conditions: str = "", **variant: Unpack[Options]) -> str:
        """What a quantity, or a formula of quantities, comes to, inline."""
        return self._inline(self._closed([read_formula(text)], conditions, **variant)[0])

    def extra(self, name: str, option: str, **variant: Unpack[Options]) -> str:
        """What an option (`bias`, `head_bias`, `positions` or `shared`) adds to a quantity, inline."""
        known = [each for each, kind in get_type_hints(Options).items() if kind is bool]
        if option not in known or option in variant:
            raise ChapterError(f"extra('{name}', '{option}'): the option is one of {', '.join(known)}, and not given as well")
        wider: Any = {option: True}
        base = Variant(**variant)
        added = residual(quantity_named(name, replace(base, **wider)).general, quantity_named(name, base).general)
        if added == Number(0):
            raise ChapterError(f"extra('{name}', '{option}'): this option adds nothing to {name}")
        return self._inline(added)

    def shapes(self, *shapes: str) -> str:
        """A product of matrices by their shapes, inline: `[n, d] × [d, V]` from `"n d", "d V"`; inner sizes must be the same."""
        sizes = [[symbol(name) for name in shape.split()] for shape in shapes]
        if len(sizes) < 2 or any(len(shape) != 2 for shape in sizes):
            raise ChapterError(f"shapes({', '.join(map(repr, shapes))}): two shapes or more, each of two symbols, as 'n d' and 'd V'")
        for (_, inner), (outer, _) in pairwise(sizes):
            if inner != outer:
                raise ChapterError(f"shapes({', '.join(map(repr, shapes))}): a matrix of {inner} columns, then one of {outer} rows")
        written = (", ".join(self.dialect.write(Name(name)) for name in shape) for shape in sizes)
        return "$" + r" \times ".join(f"[{shape}]" for shape in written) + "$"

    def value(self, text: str, at: str = "", **variant: Unpack[Options]) -> str:
        """The number that a formula comes to. Here and elsewhere `at` is a model, sizes (`d=4096, L=32`), or a model and more sizes
        (`LLaMA-7B, n=2048`); of a model `P` is the exact total and `P_act` the active parameters.
        """
        return digits(value_of(text, at, Variant(**variant)))

    def share(self, part: str, whole: str, at: str = "") -> str:
        """The share of one formula in another, in percent."""
        return self._percent(value_of(part, at), value_of(whole, at))

    def ratio(self, one: str, other: str, at: str = "", digits: int = 3) -> str:
        """How many times one formula is another, with so many significant digits."""
        return figures(value_of(one, at) / Fraction(value_of(other, at)), digits)

    def counted(self, model: str, convention: str = "total") -> str:
        """A model's exact count under a convention, as `derive count --json` names them: `total`, `active`, `linear` and others."""
        return digits(counted_as(model, convention))

    def about(self, model: str, convention: str = "total") -> str:
        """A model's count in the reader's large units."""
        return in_units(counted_as(model, convention), self.language)

    def _closed(self, formulas: Sequence[Formula], conditions: str, **variant: Unpack[Options]) -> list[Formula]:
        """The closed forms of formulas of quantities, under conditions."""
        kind = Variant(**variant)
        assumed = conditions_on(conditions, [name for each in formulas for name in _names_behind(each, kind)])
        return [resolved(each, kind, assumed) for each in formulas]


def _names_behind(formula: Formula, kind: Variant) -> set[str]:
    """The names in a formula, and in the closed forms of its quantities."""
    return {*formula.names, *(name for each in formula.names if each in quantities(kind) for name in quantities(kind)[each].general.names)}
