"""Answers to scaling questions as the command prints them: derivations, a table, remarks; also as a dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.calculus.allocation import FITS, allocate, derivations
from derive.calculus.dominance import dominance, error_below, leading_terms, percent_of, read_scaling, terms_by_part
from derive.calculus.inverse import solve as solved
from derive.calculus.rates import elasticities, elasticity, partial, total
from derive.calculus.steps import multiplied, one_more, one_more_token, padded
from derive.calculus.subject import Subject, subject
from derive.conditions import read_conditions, read_sizes
from derive.costs import over, whole
from derive.costs.flops import linear_flops, pair_flops
from derive.counting import count_model
from derive.derivation import Derivation, Line, Step, limit
from derive.errors import FormulaError
from derive.formula.numbers import decimal, percent, significant
from derive.formula.parse import parse
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
    heading = ("model", "exact count", leading.asked.text, "share", *_GROUPS) if rows else ()
    if rows:
        remarks.append("behind the share: what each kind of component is of the exact count")
    return Answer((found.derivation, error), heading, rows, tuple(remarks))


def rate_answer(quantity: str, name: str, given: str | None, ties: str | None, at: tuple[str, ...] = ()) -> Answer:
    """Partial derivative and elasticity; under ties the total derivative; elasticities at models or sizes."""
    of = subject(quantity, given)
    stretched = elasticity(of, name)
    derivations = [partial(of, name), stretched.then(limit((name,)))]
    if ties is not None:
        derivations.append(total(of, name, read_conditions(ties)))
    if not at:
        return Answer(tuple(derivations))
    columns = [elasticities(of, read_sizes(each).numbers) for each in at]
    rows = tuple((symbol, *(significant(column[symbol], 4) for column in columns)) for symbol in of.closed.names)
    return Answer(tuple(derivations), ("elasticity in", *at), rows)


def change_answer(quantity: str, names: str, times: int | None, pad: int | None, given: str | None, at: str | None) -> Answer:
    """One more of a size, a size padded to a multiple, or several sizes multiplied."""
    of = subject(quantity, given)
    symbols = tuple(name.strip() for name in names.split(","))
    if times is None and len(symbols) > 1:
        raise FormulaError("one more of one size at a time; several go with --times", names)
    if times is not None and times < 2:
        raise FormulaError("a factor is at least 2", str(times))
    if pad is not None and (at is None or times is not None):
        raise FormulaError("padding needs the size to be padded: give --at, and no --times", names)
    count = 1 if pad is None or at is None else _padding(symbols[0], pad, read_sizes(at).numbers)
    if not count:
        return Answer((), remarks=(f"{symbols[0]} is a multiple of {pad} already: nothing is added",))
    found = one_more(of, symbols[0], count) if times is None else multiplied(of, symbols, times)
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


def _padding(name: str, multiple: int, sizes: Mapping[str, int]) -> int:
    if name not in sizes:
        raise FormulaError("no number given for the size to be padded", name)
    return padded(sizes[name], multiple) - sizes[name]


def solve_answer(equation: str, symbol: str, given: str | None, multiple: int | None) -> Answer:
    """The roots of an equation, and the whole sizes beside them."""
    if multiple is not None and multiple < 1:
        raise FormulaError("a multiple is at least 1", str(multiple))
    found = solved(equation, symbol, given, multiple)
    why = Text("solved exactly", "精确求解")
    derivations = tuple(Derivation(Name(symbol), (Line("=", root, why),), {}) for root in found.closed)
    remarks = [*(f"{symbol} = {_between(low, high)}" for low, high in found.roots), *found.remarks]
    left, right = (side.text for side in found.equation)
    tied = [name for name, _ in found.candidates[0].tied] if found.candidates else []
    rows = tuple(
        (f"{each.size:,}", *(f"{size:,}" for _, size in each.tied), _shown(each.left), _off(each.left, each.right))
        for each in found.candidates
    )
    heading = (symbol, *tied, left, f"off {right}") if rows else ()
    return Answer(derivations, heading, rows, tuple(remarks))


def crossover_answer(model: str) -> Answer:
    """Where a model's costs overtake one another: attention and the linear layers, attention and feed-forward, embedding."""
    read = read_model(model)
    linear, pair = whole(over(read.numbers, linear_flops)), whole(over(read.numbers, pair_flops))
    rows = [("attention FLOPs reach those of the linear layers at a context of", f"{decimal(Fraction(linear, pair), 8)} tokens")]
    parts = {part.name: part.parameters for part in count_model(read).components}
    attention = parts.get("attention") or parts["latent attention"]
    dense = sum(parts.get(name, 0) for name in ("feed-forward", "routed experts", "shared experts"))
    rows.append(("feed-forward parameters for each one of attention (2 in the textbook block)", significant(Fraction(dense, attention), 4)))
    ends = parts["token embedding"] + parts["output head"]
    rows.append(("share of embedding and head", percent(ends, count_model(read).total)))
    if "router" in parts:
        rows.append(("share of the router", percent(parts["router"], count_model(read).total)))
    return Answer((), (read.name, ""), tuple(rows))


def allocation_answer(budget: str) -> Answer:
    """The best parameters and tokens for a training budget, under each published fit."""
    number = parse(budget).evaluate({})
    rows = []
    for fit in FITS:
        best = allocate(float(number), fit)
        rows.append(
            (
                fit.source,
                f"{best.parameters:.3g}",
                f"{best.tokens:.3g}",
                f"{best.ratio:.3g}",
                f"{float(fit.beta / (fit.alpha + fit.beta)):.3f}",
            )
        )
    remark = "the ratio D/N is not a constant of nature: it moves with the fitted constants, and with the budget unless α = β"
    return Answer(derivations(), ("fit", "parameters N", "tokens D", "D/N", "exponent of N"), tuple(rows), (remark,))


def leading_answer(quantity: str, scaling: str, given: str | None) -> Answer:
    """The terms of a quantity in order of growth, and the factor by which the whole grows when the scaling symbols double."""
    of, grow = subject(quantity, given), read_scaling(scaling)
    found = leading_terms(of, grow)
    rows = tuple((str(degree), term.text, part) for degree, term, part in terms_by_part(quantity, grow, of.conditions))
    rows = rows or tuple((str(degree), term.text, "") for degree, term in found)
    doubled = multiplied(of, grow, 2)
    remark = f"doubled, the whole grows by {doubled.result.text}; the leading term alone by {2 ** found[0][0]}"
    return Answer((doubled,), ("degree", "terms", "of"), rows, (remark,))


def _off(left: Fraction, right: Fraction) -> str:
    return significant((left - right) / right * 100, 3) + " %" if right else "–"


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


_GROUPS = {
    "attention": ("attention",),
    "feed-forward": ("feed-forward",),
    "embedding, head, positions": ("token embedding", "output head", "learned positions"),
    "norms": ("norms", "final norm"),
}


def _beside_models(of: Subject, leading: Subject) -> tuple[tuple[str, ...], ...]:
    """A leading formula of the whole model beside the exact count of real ones, and what that consists of."""
    if of.asked != Name("P_total"):
        return ()
    rows = []
    for name in (model.name for model in bundled_models() if model.name in WITH_EXACT_COUNT):
        read = read_model(name)
        if set(leading.closed.names) <= read.sizes.keys():
            counted, value = count_model(read), Fraction(leading.closed.evaluate(read.sizes))
            parts = {part.name: part.parameters for part in counted.components}
            shares = (percent(sum(parts.get(part, 0) for part in group), counted.total) for group in _GROUPS.values())
            rows.append((counted.total, (name, f"{counted.total:,}", _shown(value), percent(value, counted.total), *shares)))
    return tuple(row for _, row in sorted(rows))


def _shown(value: Fraction) -> str:
    return f"{value.numerator:,}" if value.denominator == 1 else decimal(value, 8)


def _between(low: Fraction, high: Fraction) -> str:
    """A root to the digits on which its bounds agree."""
    if low == high:
        return _shown(low)
    return f"{decimal((low + high) / 2, 8)}, to within 1/1000"
