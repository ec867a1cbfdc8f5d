"""What a chapter's template may ask for: every formula, number and table of the book.

A template holds prose only. Each function returns Markdown in the chapter's language and the output's dialect of LaTeX;
whatever claims an equality is proved first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from derive.algebra.arrange import residual
from derive.algebra.normal import equal
from derive.architecture.component import Component, stored
from derive.book import words
from derive.book.arithmetic import Arithmetic
from derive.book.cost_tables import Costs
from derive.book.definitions import Definitions
from derive.book.links import Links
from derive.book.mistakes import Mistakes
from derive.book.naming import Naming
from derive.book.routing_tables import Routing
from derive.book.scaling import Scaling
from derive.book.sizes import resolved, value_of
from derive.book.voice import Voice, digits, in_units
from derive.book.writing import aligned, chain, display
from derive.conditions import read_sizes
from derive.costs import over, whole
from derive.costs.parameters import parameters
from derive.counting import Count, count
from derive.derivation import Derivation, Line, derivation_of, given, without
from derive.errors import ChapterError, StepError
from derive.formula.numbers import significant
from derive.formula.parse import parse, parse_equations
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, Name, Number, Sum
from derive.quantities import Counted, Listed, Variant, quantity
from derive.reading import read_model
from derive.symbols import BY_NAME
from derive.text import Text

WIDEST_CELL = 40
"""Characters of a formula that fit into a table; a longer one is named by its symbol."""


@dataclass(frozen=True, slots=True)
class Functions(Voice):
    """The functions, bound to a language and a dialect of LaTeX; those of one subject stand in a module of their own."""

    naming: Naming = field(default_factory=Naming)

    def by_name(self) -> dict[str, Callable[..., str]]:
        """The functions under the names that templates call them by."""
        return {
            "math": self.math,
            "claim": self.claim,
            "form": self.form,
            "extra": self.extra,
            "shapes": self.shapes,
            "equation": self.equation,
            "derivation": self.derivation,
            "approximation": self.approximation,
            "worked": self.worked,
            "worked_model": self.worked_model,
            "layer_sum": self.layer_sum,
            "value": self.value,
            "share": self.share,
            "ratio": self.ratio,
            "counted": self.counted,
            "about": self.about,
            "symbols": self.symbols,
            "tensors": self.tensors,
            "tensor_map": self.tensor_map,
            "listed": self.listed,
            "components": self.components,
            "conventions": self.conventions,
            "comparison": self.comparison,
            **Links(self.language, self.dialect, self.naming).by_name(),
            **{name: function for group in _GROUPS for name, function in group(self.language, self.dialect).by_name().items()},
        }

    # In a sentence

    def math(self, text: str) -> str:
        """A formula inline. With `=` it is a condition or a name, so its left side must be a symbol of the vocabulary."""
        left, equals, right = text.partition("=")
        if not equals and isinstance(parse(text), Sum):
            raise ChapterError(f"math('{text}') states a sum; use form() or extra(), which work it out")
        if not equals:
            return self._inline(parse(text))
        symbol = parse(left)
        if not (isinstance(symbol, Name) and symbol.name in BY_NAME):
            raise ChapterError(f"math('{text}') states an equality; use claim(), which proves it")
        return f"${self.dialect.write(symbol)} = {self.dialect.write(parse(right))}$"

    def claim(self, text: str, conditions: str = "", **variant: Any) -> str:
        """An equality inline, proved: quantities stand for their closed forms, `conditions` for what is assumed."""
        sides = [parse(side) for side in text.split("=")]
        first, *others = (self._closed(side, conditions, **variant) for side in sides)
        for other in others:
            if not equal(first, other):
                raise StepError(f"the claim '{text}' is false: the sides differ by {residual(first, other).text}")
        return "$" + " = ".join(self.dialect.write(side) for side in sides) + "$"

    def form(self, text: str, conditions: str = "", **variant: Any) -> str:
        """What a quantity, or a formula of quantities, comes to, inline."""
        return self._inline(self._closed(parse(text), conditions, **variant))

    def extra(self, name: str, option: str, **variant: Any) -> str:
        """What an option such as `bias` adds to a quantity, inline."""
        base = Variant(**variant)
        wider: Any = {option: True}
        more = quantity(name, replace(base, **wider)).general
        return self._inline(residual(more, quantity(name, base).general))

    def shapes(self, *shapes: str) -> str:
        """A product of matrices by their shapes, inline: `[n, d] × [d, V]`."""
        written = (", ".join(self.dialect.write(Name(name)) for name in shape.split()) for shape in shapes)
        return "$" + r" \times ".join(f"[{shape}]" for shape in written) + "$"

    def value(self, text: str, at: str = "") -> str:
        """The number that a formula comes to, for a model's sizes."""
        return digits(self._number(text, at))

    def share(self, part: str, whole: str, at: str = "") -> str:
        """The share of one formula in another, in percent."""
        return self._percent(self._number(part, at), self._number(whole, at))

    def ratio(self, one: str, other: str, at: str = "", digits: int = 3) -> str:
        """How many times one formula is another."""
        return significant(self._number(one, at) / Fraction(self._number(other, at)), digits)

    def counted(self, model: str, convention: str = "total") -> str:
        """A model's exact count under a convention."""
        return digits(count(model).parameters[convention])

    def about(self, model: str, convention: str = "total") -> str:
        """A model's count in the reader's large units."""
        return in_units(count(model).parameters[convention], self.language)

    # Displays

    def equation(self, name: str, conditions: str = "", **variant: Any) -> str:
        """The closed form of a quantity, under conditions."""
        derived = self._derived(name, conditions, **variant)
        return display(chain(derived.left, [derived.result], self.dialect))

    def derivation(self, name: str, conditions: str = "", *, brief: bool = False, **variant: Any) -> str:
        """A quantity derived line by line; `brief` starts from its closed form."""
        derived = self._derived(name, conditions, brief=brief, **variant)
        return display(aligned(derived, self.language, self.dialect))

    def approximation(self, name: str, drop: str, scaling: str, conditions: str = "", at: str = "", **variant: Any) -> str:
        """A closed form without the terms `drop`, which vanish as the symbols of `scaling` grow; then what that leaves out."""
        derived = self._derived(name, conditions, brief=True, **variant)
        derived = derived.then(without(parse(drop), tuple(scaling.split()), Text("the leading terms", "保留主项")))
        return display(aligned(derived, self.language, self.dialect)) + self._dropped(derived.lines[-1], at)

    def worked(self, name: str, at: str, conditions: str = "", **variant: Any) -> str:
        """A quantity's closed form, the numbers of a model put in, and the result, each equal to the one before."""
        derived = self._derived(name, conditions, **variant)
        return self._worked(derived.left, derived.result, count(at).symbols)

    def worked_model(self, model: str, *named: str) -> str:
        """A model's own total: closed form, numbers put in, result. The parts `named` stand as symbols, with their numbers."""
        read = read_model(model)
        parts = {each.symbol: each for _, each in read.numbers.components if each.symbol in named}
        sizes = {**read.sizes, **{symbol: whole(stored(each.tensors)) for symbol, each in parts.items()}}
        return self._worked(Name("P_total"), _as_formula(over(read.formulas.abbreviated(named), parameters)), sizes)

    def layer_sum(self, name: str, *parts: str) -> str:
        """The definition of a quantity as a sum over the layers of its parts, which may differ from layer to layer."""
        terms = []
        for part in parts:
            letter, _, subscript = part.partition("_")
            terms.append(rf"{letter}_{{\mathrm{{{subscript.replace('_', ',')}}},\ell}}")
        left = self.dialect.write(Name(name))
        return display(rf"{left} = \sum_{{\ell=1}}^{{L}} \left({' + '.join(terms)}\right)")

    # Tables

    def symbols(self, *names: str) -> str:
        """The meaning of symbols."""
        rows = [[self._inline(Name(name)), self._sentence(BY_NAME[name].meaning)] for name in names]
        return self._table((words.SYMBOL, words.MEANING), rows)

    def tensors(self, name: str, at: str = "", **variant: Any) -> str:
        """The tensors of a quantity's component: shape, elements and, for a model, the number of elements."""
        component = _component(name, **variant)
        sizes = count(at).symbols if at else {}
        rows = []
        for tensor in component.tensors:
            shape = ", ".join(self.dialect.write(_as_formula(length)) for length in tensor.shape)
            elements = _as_formula(tensor.size)
            number = [digits(elements.evaluate(sizes))] if at else []
            rows.append([self._inline(Name(tensor.name)), f"$({shape})$", self._inline(elements), *number])
        heading = [words.TENSOR, words.SHAPE, words.ELEMENTS, *([Text(at, at)] if at else [])]
        return self._table(heading, rows, right=(3,))

    def tensor_map(self, *names: str, **variant: Any) -> str:
        """The tensors of several components, one after the other: shape, elements, and where each belongs."""
        rows = []
        for name in names:
            for tensor in _component(name, **variant).tensors:
                shape = ", ".join(self.dialect.write(_as_formula(length)) for length in tensor.shape)
                place = self._sentence(quantity(name).meaning)
                rows.append([self._inline(Name(tensor.name)), f"$({shape})$", self._inline(_as_formula(tensor.size)), place])
        return self._table((words.TENSOR, words.SHAPE, words.ELEMENTS, words.COMPONENT), rows)

    def listed(self, name: str) -> str:
        """The terms of a quantity that is a list, each with what it stands for, and their sum; proved to be the quantity."""
        wanted = quantity(name)
        if not isinstance(wanted, Listed):
            raise ChapterError(f"{name} is not a list of terms")
        rows = [[self._sentence(why), self._inline(term)] for why, term in wanted.terms]
        rows.append([f"**{words.TOTAL.in_(self.language)}**", self._inline(derivation_of(wanted).lines[-1].formula)])
        return self._table((words.KEPT, wanted.unit), rows)

    def components(self, model: str) -> str:
        """A model's components: formula, parameters, share and, where they differ, the active parameters."""
        counts = count(model)
        sparse = counts.active != counts.total
        rows = [self._component_row(counts, at, sparse) for at in range(len(counts.components))]
        active = [digits(counts.active)] if sparse else []
        total = [words.TOTAL.in_(self.language), "", digits(counts.total), self._percent(1, 1), *active]
        rows.append([f"**{cell}**" if cell else "" for cell in total])
        heading = [words.COMPONENT, words.FORMULA, words.PARAMETERS, words.SHARE, *([words.ACTIVE] if sparse else [])]
        return self._table(heading, rows, right=(2, 3, 4))

    def conventions(self, *models: str) -> str:
        """Models' counts under every convention that they have, side by side."""
        counts = [count(model) for model in models]
        used = [name for name in words.CONVENTIONS if any(name in each.parameters for each in counts)]
        rows = [
            [
                words.CONVENTIONS[name].in_(self.language),
                *(digits(each.parameters[name]) if name in each.parameters else "–" for each in counts),
            ]
            for name in used
        ]
        heading = [words.CONVENTION, *(Text(each.model, each.model) for each in counts)]
        return self._table(heading, rows, right=range(1, len(heading)))

    def comparison(self, formula: str, *models: str) -> str:
        """A formula beside the exact count, for several models, and the share of the count that it reaches."""
        rows = []
        for each in map(count, models):
            number = resolved(parse(formula)).evaluate(each.symbols)
            rows.append([each.model, digits(each.total), digits(number), self._percent(number, each.total)])
        written = Text(*[self._inline(parse(formula))] * 2)
        return self._table((words.MODEL, words.EXACT, written, words.OF_EXACT), rows, right=(1, 2, 3))

    # Pieces

    def _component_row(self, counts: Count, at: int, sparse: bool) -> list[str]:
        part = counts.components[at]
        formula = self._inline(part.formula if len(part.formula.text) <= WIDEST_CELL else part.abbreviation)
        name = words.COMPONENTS[part.name].in_(self.language)
        active = [digits(part.active)] if sparse else []
        return [name, formula, digits(part.parameters), self._share_in_table(part.parameters, counts.total), *active]

    def _derived(self, name: str, conditions: str = "", *, brief: bool = False, **variant: Any) -> Derivation:
        """A quantity's derivation, or with `brief` its closed form alone, carried on to the conditions."""
        derived = derivation_of(quantity(name, Variant(**variant)))
        if brief:
            closed = Line("=", derived.result, Text("the closed form", "闭式"))
            derived = Derivation(derived.left, (closed,), {})
        return derived.then(given(dict(parse_equations(conditions)))) if conditions else derived

    def _dropped(self, line: Line, at: str) -> str:
        """What an approximation leaves out, the relative error, and how much that is."""
        if line.dropped is None or line.error is None:
            return ""
        dropped, error = self._inline(line.dropped), display(self.dialect.write(line.error))
        chinese = self.language == "zh"
        text = f"\n略去的是 {dropped}，相对误差为\n{error}" if chinese else f"\nThis leaves out {dropped}. The relative error is\n{error}"
        if not at:
            return text
        sizes = read_sizes(at)
        share = self._percent(line.error.evaluate(sizes.numbers), 1)
        numbers = (f"{self.dialect.write(Name(name))} = {self.dialect.write(Number(size))}" for name, size in sizes.numbers.items())
        where = sizes.model.name if sizes.model else f"${', '.join(numbers)}$"
        return text + (f"\n取 {where} 时为 {share}。\n" if chinese else f"\nor {share} for {where}.\n")

    def _worked(self, left: Formula, formula: Formula, sizes: Mapping[str, int]) -> str:
        put, result = with_numbers(formula, sizes), Number(formula.evaluate(sizes))
        if not equal(put, result):
            raise StepError(f"{left.text}: {put.text} is not {result.text}")
        return display(chain(left, [formula, put, result], self.dialect))

    def _closed(self, formula: Formula, conditions: str = "", **variant: Any) -> Formula:
        """The closed form of a formula of quantities, under conditions."""
        assumed = dict(parse_equations(conditions)) if conditions else {}
        return resolved(formula, Variant(**variant)).substitute(assumed)

    def _number(self, text: str, at: str) -> Any:
        return value_of(text, at)


_GROUPS = (Arithmetic, Definitions, Scaling, Costs, Routing, Mistakes)


def _component(name: str, **variant: Any) -> Component:
    """The component whose tensors a quantity counts."""
    wanted = quantity(name, Variant(**variant))
    component = wanted.subject if isinstance(wanted, Counted) else None
    if not isinstance(component, Component):
        raise ChapterError(f"{name} is not one component, so it has no table of tensors")
    return component


def _as_formula(value: Any) -> Formula:
    return value if isinstance(value, Formula) else Number(value)
