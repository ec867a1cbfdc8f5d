"""What a chapter's template may ask for: every formula, number and table of the book.

A template holds prose only. Each function returns Markdown in the chapter's language and the output's dialect of LaTeX;
whatever claims an equality is proved first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

from derive.algebra.normal import equal
from derive.architecture.component import Component, stored
from derive.architecture.tensor import Tensor
from derive.book import words
from derive.book.functions.arithmetic import Arithmetic
from derive.book.functions.calling import Function
from derive.book.functions.cost_tables import Costs
from derive.book.functions.definitions import Definitions
from derive.book.functions.known_names import quantity_named, read_formula, symbol
from derive.book.functions.layer_sums import check_layer_sum
from derive.book.functions.links import Links
from derive.book.functions.mistakes import Mistakes
from derive.book.functions.parameter_tables import ParameterTables
from derive.book.functions.routing_tables import Routing
from derive.book.functions.scaling import Scaling
from derive.book.functions.sentences import Sentences
from derive.book.functions.sizes import (
    Options,
    check_assumed,
    check_quantity,
    conditions_on,
    resolved,
    sizes_of,
    under,
)
from derive.book.naming import Naming
from derive.book.voice import Voice, alike, digits
from derive.book.writing import aligned, chain, display
from derive.costs import over, whole
from derive.costs.parameters import parameters
from derive.counting import Count, count
from derive.derivation import Derivation, Line, derivation_of, given, without
from derive.errors import ChapterError, StepError
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, Name, Number
from derive.quantities import Counted, Listed, Variant
from derive.reading import read_model
from derive.symbols import BY_NAME
from derive.text import Text

WIDEST_CELL = 40
"""Characters of a formula that fit into a table; a longer one is named by its symbol."""


@dataclass(frozen=True, slots=True)
class Functions(Voice):
    """The functions, bound to a language and a dialect of LaTeX; those of one subject stand in a module of their own."""

    naming: Naming = field(default_factory=Naming)

    def by_name(self) -> dict[str, Function]:
        """The functions under the names that templates call them by, each checking how it is called."""
        return {name: Function(name, function) for name, function in self._plain().items()}

    def _plain(self) -> dict[str, Callable[..., str]]:
        return {
            "equation": self.equation,
            "derivation": self.derivation,
            "approximation": self.approximation,
            "worked": self.worked,
            "worked_model": self.worked_model,
            "layer_sum": self.layer_sum,
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

    # Displays

    def equation(self, name: str, conditions: str = "", **variant: Unpack[Options]) -> str:
        """The closed form of a quantity, under conditions (`d_q=d, d_kv=d/4`). Here and elsewhere `variant` are a quantity's options,
        those of `derive show`: `bias=true`, `head_bias=true`, `ffn="two-matrix"`, `norm="layer"`, `positions=true`, `shared=true`.
        """
        derived = self._derived(name, conditions, **variant)
        return display(chain(derived.left, [derived.result], self.dialect))

    def derivation(self, name: str, conditions: str = "", *, brief: bool = False, **variant: Unpack[Options]) -> str:
        """A quantity derived line by line; `brief` starts from its closed form."""
        derived = self._derived(name, conditions, brief=brief, **variant)
        return display(aligned(derived, self.language, self.dialect))

    def approximation(self, name: str, drop: str, scaling: str, conditions: str = "", at: str = "", **variant: Unpack[Options]) -> str:
        """A closed form without the terms `drop`, which vanish as the symbols of `scaling` (`"d m"`) grow; then what that leaves out."""
        derived = self._derived(name, conditions, brief=True, **variant)
        if at:
            self._sizes_for(name, at, conditions, **variant)
        growing = tuple(map(symbol, scaling.split()))
        derived = derived.then(without(read_formula(drop), growing, Text("the leading terms", "保留主项")))
        return display(aligned(derived, self.language, self.dialect)) + self._dropped(derived.lines[-1], at)

    def worked(self, name: str, at: str, conditions: str = "", **variant: Unpack[Options]) -> str:
        """A quantity's closed form, the numbers of a model or of sizes put in, and the result, each equal to the one before."""
        derived = self._derived(name, conditions, **variant)
        return self._worked(derived.left, derived.result, self._sizes_for(name, at, conditions, **variant))

    def worked_model(self, model: str, named: str = "") -> str:
        """A model's own total: closed form, numbers put in, result; the parts `named` (`"P_mla P_ffn"`) stand as symbols."""
        read, names = read_model(model), tuple(named.split())
        parts = {each.symbol: each for _, each in read.numbers.components if each.tensors}
        for name in names:
            if name not in parts:
                raise ChapterError(f"worked_model: {read.name} has no part {name}; it has {', '.join(parts)}")
        sizes = {**read.sizes, **{name: whole(stored(parts[name].tensors)) for name in names}}
        return self._worked(Name("P_total"), _as_formula(over(read.formulas.abbreviated(names), parameters)), sizes)

    def layer_sum(self, name: str, *parts: str) -> str:
        """The definition of a quantity as a sum over the layers of its parts, which may differ from layer to layer; proved for a model
        that mixes dense layers and layers with experts. The parts are `P_attn`, `P_norm`, `P_router`, `P_ffn` or `P_ffn_active`.
        """
        check_layer_sum(name, parts)
        terms = []
        for part in parts:
            letter, _, subscript = part.partition("_")
            terms.append(rf"{letter}_{{\mathrm{{{subscript.replace('_', ',')}}},\ell}}")
        left = self.dialect.write(Name(name))
        return display(rf"{left} = \sum_{{\ell=1}}^{{L}} \left({' + '.join(terms)}\right)")

    # Tables

    def symbols(self, *names: str) -> str:
        """The meaning of symbols."""
        rows = [[self._inline(Name(name)), self._sentence(BY_NAME[symbol(name)].meaning)] for name in names]
        return self._table((words.SYMBOL, words.MEANING), rows)

    def tensors(self, name: str, at: str = "", **variant: Unpack[Options]) -> str:
        """The tensors of a quantity's component: shape, elements and, for a model or for sizes, the number of elements."""
        component = _component(name, **variant)
        sizes, read = sizes_of(at)
        if read is not None:
            check_quantity(quantity_named(name, Variant(**variant)), sizes, read)
        rows = []
        for tensor in component.tensors:
            elements = _as_formula(tensor.size)
            number = [digits(elements.evaluate(sizes))] if at else []
            rows.append([self._inline(Name(tensor.name)), self._shape(tensor), self._inline(elements), *number])
        heading = [words.TENSOR, words.SHAPE, words.ELEMENTS, *([alike(self._where(at))] if at else [])]
        return self._table(heading, rows, right=(3,))

    def tensor_map(self, *names: str, **variant: Unpack[Options]) -> str:
        """The tensors of several components, one after the other: shape, elements, and where each belongs."""
        rows = []
        for name in names:
            for tensor in _component(name, **variant).tensors:
                place = self._sentence(quantity_named(name).meaning)
                rows.append([self._inline(Name(tensor.name)), self._shape(tensor), self._inline(_as_formula(tensor.size)), place])
        return self._table((words.TENSOR, words.SHAPE, words.ELEMENTS, words.COMPONENT), rows)

    def listed(self, name: str) -> str:
        """The terms of a quantity that is a list, each with what it stands for, and their sum; proved to be the quantity."""
        wanted = quantity_named(name)
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
            number = resolved(read_formula(formula)).evaluate(each.symbols)
            rows.append([each.model, digits(each.total), digits(number), self._percent(number, each.total)])
        written = alike(self._inline(read_formula(formula)))
        return self._table((words.MODEL, words.EXACT, written, words.OF_EXACT), rows, right=(1, 2, 3))

    # Pieces

    def _component_row(self, counts: Count, at: int, sparse: bool) -> list[str]:
        part = counts.components[at]
        formula = self._inline(part.formula if len(part.formula.text) <= WIDEST_CELL else part.abbreviation)
        name = words.component(part.name).in_(self.language)
        active = [digits(part.active)] if sparse else []
        return [name, formula, digits(part.parameters), self._share_in_table(part.parameters, counts.total), *active]

    def _derived(self, name: str, conditions: str = "", *, brief: bool = False, **variant: Unpack[Options]) -> Derivation:
        """A quantity's derivation, or with `brief` its closed form alone, carried on to the conditions."""
        wanted = quantity_named(name, Variant(**variant))
        assumed = conditions_on(conditions, wanted.general.names)
        derived = derivation_of(under(wanted, assumed))
        if brief:
            closed = Line("=", derived.result, Text("the closed form", "闭式"))
            derived = Derivation(derived.left, (closed,), {})
        return derived.then(given(assumed)) if assumed else derived

    def _sizes_for(self, name: str, at: str, conditions: str, **variant: Unpack[Options]) -> Mapping[str, Any]:
        """The sizes at which a quantity is wanted; `FormulaError` where they contradict the conditions, or a model has another."""
        sizes, read = sizes_of(at)
        wanted = quantity_named(name, Variant(**variant))
        assumed = conditions_on(conditions, wanted.general.names)
        check_assumed(assumed, at, sizes, read)
        if read is not None:
            check_quantity(under(wanted, assumed), sizes, read)
        return sizes

    def _dropped(self, line: Line, at: str) -> str:
        """What an approximation leaves out, the relative error, and how much that is."""
        if line.dropped is None or line.error is None:
            return ""
        dropped, error = self._inline(line.dropped), display(self.dialect.write(line.error))
        chinese = self.language == "zh"
        text = f"\n略去的是 {dropped}，相对误差为\n{error}" if chinese else f"\nThis leaves out {dropped}. The relative error is\n{error}"
        if not at:
            return text
        share, where = self._percent(line.error.evaluate(sizes_of(at)[0]), 1), self._where(at)
        return text + (f"\n取 {where} 时为 {share}。\n" if chinese else f"\nor {share} for {where}.\n")

    def _where(self, at: str) -> str:
        """Where numbers are taken: a model by its name, sizes as equations."""
        model, _, more = at.partition(",")
        read = sizes_of(model)[1]
        sizes = sizes_of(more if read else at)[0]
        equations = ", ".join(f"{self.dialect.write(Name(name))} = {self.dialect.write(Number(size))}" for name, size in sizes.items())
        return ", ".join((*([read.name] if read else []), *([f"${equations}$"] if equations else [])))

    def _shape(self, tensor: Tensor) -> str:
        return f"$({', '.join(self.dialect.write(_as_formula(length)) for length in tensor.shape)})$"

    def _worked(self, left: Formula, formula: Formula, sizes: Mapping[str, int]) -> str:
        put, result = with_numbers(formula, sizes), Number(formula.evaluate(sizes))
        if not equal(put, result):
            raise StepError(f"{left.text}: {put.text} is not {result.text}")
        return display(chain(left, [formula, put, result], self.dialect))


_GROUPS = (Sentences, Arithmetic, Definitions, Scaling, ParameterTables, Costs, Routing, Mistakes)


def _component(name: str, **variant: Unpack[Options]) -> Component:
    """The component whose tensors a quantity counts."""
    wanted = quantity_named(name, Variant(**variant))
    component = wanted.subject if isinstance(wanted, Counted) else None
    if not isinstance(component, Component):
        raise ChapterError(f"{name} is not one component, so it has no table of tensors")
    return component


def _as_formula(value: Any) -> Formula:
    return value if isinstance(value, Formula) else Number(value)
