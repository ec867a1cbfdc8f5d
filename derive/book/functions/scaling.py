"""Answers to scaling questions inside a chapter: derivatives, steps, doubling, inverse questions, crossovers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypedDict, Unpack

from derive.agreement import check_own
from derive.book import words
from derive.book.answers import answer_body
from derive.book.functions.sizes import check_assumed, check_quantity, size_of, sizes_of, under
from derive.book.voice import Voice, alike, digits, figures, short
from derive.calculus import answers
from derive.calculus.allocation import FITS
from derive.calculus.answer import Answer, Cell, Column
from derive.calculus.crossover import overtaking_context
from derive.calculus.dominance import dominance, error_below, percent_of, read_scaling
from derive.calculus.steps import multiplied, one_more_token, padded
from derive.calculus.subject import Subject, subject
from derive.counting import count
from derive.errors import ChapterError
from derive.formula.numbers import decimal
from derive.formula.tree import Name
from derive.quantities import quantities
from derive.reading import read_model

ALL = ("derivations", "table", "remarks")


class Parts(TypedDict, total=False):
    """What is shown of an answer: some of `derivations table remarks`, the first two by default; `only` these derivations, from 1."""

    parts: str
    only: Sequence[int]


class Scaling(Voice):
    """What `derive rate`, `change`, `solve` and the like answer, as part of a chapter."""

    __slots__ = ()

    def rate(
        self,
        quantity: str,
        by: str,
        *,
        given: str | None = None,
        ties: str | None = None,
        at: Sequence[str] = (),
        **how: Unpack[Parts],
    ) -> str:
        """Derivative and elasticity of a quantity, or of a formula such as `n*N_kv`, and elasticities at a list of models or sizes.
        `given` are conditions (`d_kv=d, m=8*d/3`), `ties` sizes that follow. `parts` says what of an answer is shown, some of
        `derivations table remarks` (by default the first two), and `only` which derivations, counted from 1: `only=(1, 3)`.
        """
        return self._shown(answers.rate_answer(quantity, by, given, ties, tuple(at)), **how)

    def change(
        self, quantity: str, by: str, *, times: int | None = None, given: str | None = None, at: str | None = None, **how: Unpack[Parts]
    ) -> str:
        """What one more of a size adds, or by what factor the whole grows when sizes (`d,m`) are multiplied. `given`, `at`, `parts`
        and `only` as in `rate`, `at` being one model or its sizes.
        """
        return self._shown(answers.change_answer(quantity, by, times, None, given, at), **how)

    def leading(self, quantity: str, scaling: str, *, given: str | None = None, **how: Unpack[Parts]) -> str:
        """The terms in order of growth; `scaling` is `d->oo`, or `d,V->oo` where both grow; `given`, `parts` and `only` as in `rate`."""
        return self._shown(answers.leading_answer(quantity, scaling, given), **how)

    def limits(
        self,
        quantity: str,
        over: str,
        scaling: str,
        *,
        given: str | None = None,
        below: str | None = None,
        at: str | None = None,
        **how: Unpack[Parts],
    ) -> str:
        """Whether a formula leads as sizes grow (`d->oo`), the exact error, the size from which it is below a bound (`5%`) at the other
        sizes `at`, real models beside it; `given`, `parts` and `only` as in `rate`.
        """
        return self._shown(answers.limit_answer(quantity, over, scaling, given, below, at), **how)

    def solved(self, equation: str, symbol: str, *, given: str | None = None, **how: Unpack[Parts]) -> str:
        """The size that fits: `solved("P_total = 7e9", "d", given="…")`; `parts` and `only` as in `rate`."""
        return self._shown(answers.solve_answer(equation, symbol, given), **how)

    def traded(self, quantity: str, size: str, other: str, *, given: str | None = None, at: str | None = None, **how: Unpack[Parts]) -> str:
        """What a size is exchanged for at the same whole; `given`, `at`, `parts` and `only` as in `change`."""
        return self._shown(answers.trade_answer(quantity, size, other, given, at), **how)

    def overtaking(self, model: str | None = None, **how: Unpack[Parts]) -> str:
        """Where costs overtake one another, in general and in a model; `parts` and `only` as in `rate`."""
        return self._shown(answers.crossover_answer(model), **how)

    def overtaking_contexts(self, *models: str) -> str:
        """The contexts at which attention costs one token what the linear layers do."""
        rows = [[model, digits(round(overtaking_context(read_model(model).numbers)))] for model in models]
        return self._table((words.MODEL, words.OVERTAKING), rows, (1,))

    def allocated(self, budget: str, **how: Unpack[Parts]) -> str:
        """Parameters and tokens for a training budget in FLOPs (`5.76e23`); `parts` and `only` as in `rate`."""
        answer = answers.allocation_answer(budget)
        heading = tuple(Column(each.key, words.PER_PARAMETER) if each.key == "D/N" else each for each in answer.heading)
        rows = tuple((self._source(str(fit)), *map(_power_of_ten, numbers)) for fit, *numbers in answer.rows)
        return self._shown(replace(answer, heading=heading, rows=rows), **how)

    def fits(self) -> str:
        """The constants of the fitted losses that `allocated` works with."""
        rows = [[self._source(fit.source), *map(short, (fit.A, fit.B, fit.alpha, fit.beta))] for fit in FITS]
        return self._table((words.FIT, *(alike(self._inline(Name(name))) for name in "ABαβ")), rows, (1, 2, 3, 4))

    def _source(self, fit: str) -> str:
        """Where a fit comes from, in the reader's language."""
        for phrase, word in words.FIT_PHRASES.items():
            fit = fit.replace(phrase, word.in_(self.language))
        return fit

    def token_readings(self) -> str:
        """The five readings of "one more token", each from the costs themselves."""
        heading = (words.ONE_MORE, words.ADDS, words.WITH_BIAS, words.UNIT)
        rows = [
            [
                self._sentence(each.meaning),
                self._inline(each.adds),
                "–" if each.with_bias is None else self._inline(each.with_bias),
                self._sentence(each.unit),
            ]
            for each in one_more_token()
        ]
        return self._table(heading, rows)

    def doubled(self, quantity: str, by: str, *, given: str | None = None, at: str = "") -> str:
        """By what factor the whole grows at some sizes when one of them doubles, in a sentence."""
        of = subject(quantity, given)
        return figures(Fraction(multiplied(of, (by,)).result.evaluate(_sizes(of, at))))

    def times(self, model: str, other: str) -> str:
        """How many times the parameters of another model a model has."""
        return figures(Fraction(count(model).total, count(other).total))

    def good_from(self, quantity: str, over: str, scaling: str, below: str, *, given: str | None = None, at: str = "") -> str:
        """The size from which the relative error of a leading formula stays below a bound such as `5%`, in a sentence."""
        grow, (sizes, read) = read_scaling(scaling), sizes_of(at)
        of = subject(quantity, given)
        if read is not None:
            for name in of.quantities:
                check_own(name, None, read, sizes)
        error = dominance(of, subject(over, given), grow).error
        return digits(error_below(error, grow, percent_of(below), sizes).size)

    def padded(self, model: str, multiple: int) -> str:
        """A model's vocabulary rounded up to a multiple."""
        return digits(padded(size_of(model, count(model).symbols, "V"), multiple))

    def padding(self, model: str, multiple: int) -> str:
        """The parameters of the rows that padding adds, in every stored copy."""
        V, c, d = (size_of(model, count(model).symbols, name) for name in ("V", "c", "d"))
        return digits((padded(V, multiple) - V) * c * d)

    def _shown(self, answer: Answer, parts: str = "derivations table", only: Sequence[int] = ()) -> str:
        wanted, kept = parts.split(), answer.derivations
        unknown = ", ".join(sorted(set(wanted) - set(ALL)))
        if unknown:
            raise ChapterError(f"an answer has no {unknown}; its parts are {' '.join(ALL)}")
        if only and max(only) > len(kept):
            raise ChapterError(f"only={tuple(only)}: the answer has {len(kept)} derivations, counted from 1")
        chosen = Answer(
            (tuple(kept[at - 1] for at in only) or kept) if "derivations" in wanted else (),
            answer.heading if "table" in wanted else (),
            tuple(tuple(map(_for_readers, row)) for row in answer.rows) if "table" in wanted else (),
            answer.remarks if "remarks" in wanted else (),
            answer.posed if "derivations" in wanted else (),
        )
        text = answer_body(chosen, self.language, self.dialect)
        if not text:
            raise ChapterError(f"parts='{parts}': the answer has none of these; its parts are {' '.join(ALL)}")
        return text


def _sizes(of: Subject, at: str) -> Mapping[str, Any]:
    """Sizes for a question; `FormulaError` where they contradict its conditions, or a model has another number under a quantity's name."""
    sizes, read = sizes_of(at)
    check_assumed(of.conditions, at, sizes, read)
    if read is not None:
        for name in of.quantities:
            check_quantity(under(quantities()[name], of.conditions), sizes, read)
    return sizes


def _power_of_ten(cell: Cell) -> Cell:
    """`3.22e+10` as mathematics."""
    found = re.fullmatch(r"([\d.]+)e\+(\d+)", cell) if isinstance(cell, str) else None
    return rf"${found[1]} \cdot 10^{{{int(found[2])}}}$" if found else cell


def _for_readers(cell: Cell) -> Cell:
    """A fraction rounded to what a reader of a table wants, a component in the reader's language; anything else as it is."""
    if isinstance(cell, str):
        return words.COMPONENTS.get(cell, cell)
    return Fraction(decimal(cell, 4).replace(",", "")) if isinstance(cell, Fraction) and cell.denominator != 1 else cell
