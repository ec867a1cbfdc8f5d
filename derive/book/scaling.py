"""Answers to scaling questions inside a chapter: derivatives, steps, doubling, inverse questions, crossovers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from derive.book import words
from derive.book.answers import answer_body
from derive.book.sizes import sizes_of
from derive.book.voice import Voice, alike, digits, short
from derive.calculus import answers
from derive.calculus.allocation import FITS
from derive.calculus.answer import Answer, Cell, Column
from derive.calculus.crossover import overtaking_context
from derive.calculus.dominance import dominance, error_below, percent_of, read_scaling
from derive.calculus.steps import multiplied, one_more_token, padded
from derive.calculus.subject import subject
from derive.counting import count
from derive.derivation import Derivation
from derive.errors import ChapterError
from derive.formula.numbers import decimal, significant
from derive.formula.tree import Name
from derive.reading import read_model

ALL = "derivations table remarks"


class Scaling(Voice):
    """What `derive rate`, `change`, `solve` and the like answer, as part of a chapter.

    `parts` says what is shown of an answer: its derivations, its table, its remarks; `only` which of the derivations, from 1.
    """

    __slots__ = ()

    def by_name(self) -> dict[str, Callable[..., str]]:
        """The functions under the names that templates call them by."""
        return {
            "rate": self.rate,
            "change": self.change,
            "leading": self.leading,
            "limits": self.limits,
            "solved": self.solved,
            "traded": self.traded,
            "overtaking": self.overtaking,
            "overtaking_contexts": self.overtaking_contexts,
            "token_readings": self.token_readings,
            "allocated": self.allocated,
            "fits": self.fits,
            "doubled": self.doubled,
            "times": self.times,
            "good_from": self.good_from,
            "padded": self.padded,
            "padding": self.padding,
        }

    def rate(self, quantity: str, by: str, *, given: str | None = None, ties: str | None = None, at: Sequence[str] = (), **how: Any) -> str:
        """Derivative and elasticity of a quantity, and elasticities at models."""
        return self._shown(answers.rate_answer(quantity, by, given, ties, tuple(at)), **how)

    def change(
        self, quantity: str, by: str, *, times: int | None = None, given: str | None = None, at: str | None = None, **how: Any
    ) -> str:
        """What one more of a size adds, or by what factor the whole grows when sizes are multiplied."""
        return self._shown(answers.change_answer(quantity, by, times, None, given, at), **how)

    def leading(self, quantity: str, scaling: str, *, given: str | None = None, **how: Any) -> str:
        """The terms in order of growth."""
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
        **how: Any,
    ) -> str:
        """Whether a formula leads, the exact error, the size from which it is small, real models beside it."""
        return self._shown(answers.limit_answer(quantity, over, scaling, given, below, at), **how)

    def solved(self, equation: str, symbol: str, *, given: str | None = None, **how: Any) -> str:
        """The size that fits."""
        return self._shown(answers.solve_answer(equation, symbol, given), **how)

    def traded(self, quantity: str, size: str, other: str, *, given: str | None = None, at: str | None = None, **how: Any) -> str:
        """What a size is exchanged for at the same whole."""
        return self._shown(answers.trade_answer(quantity, size, other, given, at), **how)

    def overtaking(self, model: str | None = None, **how: Any) -> str:
        """Where costs overtake one another."""
        return self._shown(answers.crossover_answer(model), **how)

    def overtaking_contexts(self, *models: str) -> str:
        """The contexts at which attention costs one token what the linear layers do."""
        rows = [[model, digits(round(overtaking_context(read_model(model).numbers)))] for model in models]
        return self._table((words.MODEL, words.OVERTAKING), rows, (1,))

    def allocated(self, budget: str, **how: Any) -> str:
        """Parameters and tokens for a training budget."""
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
        ratio = multiplied(subject(quantity, given), (by,)).result
        return significant(Fraction(ratio.evaluate(sizes_of(at)[0])))

    def times(self, model: str, other: str) -> str:
        """How many times the parameters of another model a model has."""
        return significant(Fraction(count(model).total, count(other).total))

    def good_from(self, quantity: str, over: str, scaling: str, below: str, *, given: str | None = None, at: str = "") -> str:
        """The size from which the relative error of a leading formula stays below a bound such as `5%`, in a sentence."""
        grow = read_scaling(scaling)
        error = dominance(subject(quantity, given), subject(over, given), grow).error
        return digits(error_below(error, grow, percent_of(below), sizes_of(at)[0]).size)

    def padded(self, model: str, multiple: int) -> str:
        """A model's vocabulary rounded up to a multiple."""
        return digits(padded(count(model).symbols["V"], multiple))

    def padding(self, model: str, multiple: int) -> str:
        """The parameters of the rows that padding adds, in every stored copy."""
        sizes = count(model).symbols
        return digits((padded(sizes["V"], multiple) - sizes["V"]) * sizes["c"] * sizes["d"])

    def _shown(self, answer: Answer, parts: str = "derivations table", only: Sequence[int] = ()) -> str:
        unknown = set(parts.split()) - set(ALL.split())
        if unknown:
            raise ChapterError(f"an answer has no {', '.join(sorted(unknown))}; its parts are {ALL}")
        kept: tuple[Derivation, ...] = tuple(answer.derivations[at - 1] for at in only) if only else answer.derivations
        chosen = Answer(
            kept if "derivations" in parts else (),
            answer.heading if "table" in parts else (),
            tuple(tuple(map(_for_readers, row)) for row in answer.rows) if "table" in parts else (),
            answer.remarks if "remarks" in parts else (),
            answer.posed if "derivations" in parts else (),
        )
        return answer_body(chosen, self.language, self.dialect)


def _power_of_ten(cell: Cell) -> Cell:
    """`3.22e+10` as mathematics."""
    found = re.fullmatch(r"([\d.]+)e\+(\d+)", cell) if isinstance(cell, str) else None
    return rf"${found[1]} \cdot 10^{{{int(found[2])}}}$" if found else cell


def _for_readers(cell: Cell) -> Cell:
    """A fraction rounded to what a reader of a table wants, a component in the reader's language; anything else as it is."""
    if isinstance(cell, str):
        return words.COMPONENTS.get(cell, cell)
    return Fraction(decimal(cell, 4).replace(",", "")) if isinstance(cell, Fraction) and cell.denominator != 1 else cell
