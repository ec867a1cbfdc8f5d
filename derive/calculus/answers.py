"""Answers to scaling questions as the command prints them: derivations, a table, remarks; also as a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.calculus.dominance import dominance, error_below, percent_of, read_scaling
from derive.calculus.inverse import solve as solved
from derive.calculus.rates import elasticities, elasticity, partial, total
from derive.calculus.steps import multiplied, one_more, one_more_token
from derive.calculus.subject import Subject, subject
from derive.conditions import read_conditions, read_sizes
from derive.counting import count_model
from derive.derivation import Derivation, Line, Step
from derive.errors import FormulaError
from derive.formula.numbers import decimal, percent, significant
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, Name, Number
from derive.models import bundled_models
from derive.reading import read_model
from derive.text import Text

WITH_EXACT_COUNT = ("GPT-2 small", "LLaMA-7B", "Llama-3-8B", "Llama-2-70B", "GPT-3 175B")
"""Dense models whose exact count is shown beside a leading formula."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Derivations whose lines are proved, a table with its heading, and remarks."""

    derivations: tuple[Derivation, ...]
    heading: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "derivations": [
                {
                    "left": each.left.text,
                    "latex": each.latex,
                    "lines": [
                        {"relation": line.relation, "text": line.formula.text, "latex": line.formula.latex, "why": line.why.in_(language)}
                        for line in each.lines
                    ],
                }
                for each in self.derivations
            ],
            "table": [dict(zip(self.heading, row, strict=True)) for row in self.rows],
            "remarks": list(self.remarks),
        }


def limit_answer(quantity: str, over: str, scaling: str, given: str | None, below: str | None, at: str | None) -> Answer:
    """Whether a formula dominates, what the error is, at models, and from which size it is small."""
    of, leading = subject(quantity, given), subject(over, given)
    grow = read_scaling(scaling)
    found = dominance(of, leading, grow)
    why = Text("what the leading formula leaves out, over the whole", "主项略去的部分与整体之比")
    error = Derivation((of.asked - leading.asked) / of.asked, (Line("=", found.error, why),), {})
    remarks = (
        [] if found.dominates else [f"{leading.asked.text} does not dominate along this scaling: the ratio tends to {found.limit.text}"]
    )
    if below is not None:
        sizes = read_sizes(at).numbers if at is not None else {}
        threshold = error_below(found.error, grow[0], percent_of(below), sizes)
        before = f", {percent(threshold.before, 1, 4)} just before" if threshold.before is not None else ""
        remarks.append(
            f"from {threshold.symbol} = {threshold.size:,} on the error stays below {below}: {percent(threshold.error, 1, 4)} there{before}"
        )
    rows = _beside_models(of, leading)
    heading = ("model", "exact count", leading.asked.text, "share") if rows else ()
    return Answer((found.derivation, error), heading, rows, tuple(remarks))


def rate_answer(quantity: str, name: str, given: str | None, ties: str | None, at: str | None) -> Answer:
    """Partial derivative and elasticity; under ties the total derivative; elasticities of a model."""
    of = subject(quantity, given)
    derivations = [partial(of, name), elasticity(of, name)]
    if ties is not None:
        derivations.append(total(of, name, read_conditions(ties)))
    if at is None:
        return Answer(tuple(derivations))
    found = elasticities(of, read_sizes(at).numbers)
    rows = tuple((symbol, significant(value, 4)) for symbol, value in found.items())
    return Answer(tuple(derivations), ("size", "elasticity"), rows)


def change_answer(quantity: str, names: str, times: int | None, given: str | None, at: str | None) -> Answer:
    """One more of a size, or several sizes multiplied."""
    of = subject(quantity, given)
    symbols = tuple(name.strip() for name in names.split(","))
    if times is None and len(symbols) > 1:
        raise FormulaError("one more of one size at a time; several go with --times", names)
    if times is not None and times < 2:
        raise FormulaError("a factor is at least 2", str(times))
    found = one_more(of, symbols[0]) if times is None else multiplied(of, symbols, times)
    if at is None:
        return Answer((found,))
    sizes = read_sizes(at).numbers
    missing = [name for name in found.result.names if name not in sizes]
    if missing:
        raise FormulaError(f"no number given for {', '.join(missing)}", at)
    found = found.then(*_numbers_in(found.result, sizes))
    value = Fraction(found.result.evaluate({}))
    remarks = () if value.denominator == 1 else (f"about {decimal(value, 6)}",)
    return Answer((found,), remarks=remarks)


def solve_answer(equation: str, symbol: str, given: str | None, multiple: int | None) -> Answer:
    """The roots of an equation, and the whole sizes beside them."""
    if multiple is not None and multiple < 1:
        raise FormulaError("a multiple is at least 1", str(multiple))
    found = solved(equation, symbol, given, multiple)
    why = Text("solved exactly", "精确求解")
    derivations = tuple(Derivation(Name(symbol), (Line("=", root, why),), {}) for root in found.closed)
    remarks = [*(f"{symbol} = {_between(low, high)}" for low, high in found.roots), *found.remarks]
    left, right = (side.text for side in found.equation)
    rows = tuple(
        (f"{each.size:,}", _shown(each.left), significant((each.left - each.right) / each.right * 100, 3) + " %" if each.right else "–")
        for each in found.candidates
    )
    return Answer(derivations, (symbol, left, f"off {right}") if rows else (), rows, tuple(remarks))


def token_answer() -> Answer:
    """The five readings of one more token."""
    rows = []
    for each in one_more_token():
        bias = f" ({each.with_bias.text} with an output bias)" if each.with_bias else ""
        rows.append((each.meaning.en, each.adds.text + bias, each.unit.en))
    return Answer((), ("one more token", "adds", "unit"), tuple(rows))


def _numbers_in(formula: Formula, sizes: Any) -> tuple[Step, Step]:
    conditions = {name: Number(sizes[name]) for name in formula.names}
    put, value = with_numbers(formula, sizes), Number(formula.evaluate(sizes))
    return (
        Step("→", lambda _: put, Text("numbers put in", "代入数值"), conditions),
        Step("=", lambda _: value, Text("worked out", "算出")),
    )


def _beside_models(of: Subject, leading: Subject) -> tuple[tuple[str, ...], ...]:
    """A leading formula of the whole model beside the exact count of real ones."""
    if of.asked != Name("P_total"):
        return ()
    rows = []
    for name in (model.name for model in bundled_models() if model.name in WITH_EXACT_COUNT):
        read = read_model(name)
        if set(leading.closed.names) <= read.sizes.keys():
            exact, value = count_model(read).total, Fraction(leading.closed.evaluate(read.sizes))
            rows.append((name, f"{exact:,}", _shown(value), percent(value, exact)))
    return tuple(sorted(rows, key=lambda row: int(row[1].replace(",", ""))))


def _shown(value: Fraction) -> str:
    return f"{value.numerator:,}" if value.denominator == 1 else decimal(value, 8)


def _between(low: Fraction, high: Fraction) -> str:
    """A root to the digits on which its bounds agree."""
    if low == high:
        return _shown(low)
    return f"{decimal((low + high) / 2, 8)}, to within 1/1000"
