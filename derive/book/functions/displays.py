"""Quantities as displays: closed forms, derivations, approximations, numbers put in; each equality proved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from derive.algebra.normal import equal
from derive.architecture.component import stored
from derive.book.functions.known_names import quantity_named, read_formula, symbol
from derive.book.functions.layer_sums import check_layer_sum
from derive.book.functions.sizes import (
    Options,
    check_assumed,
    check_quantity,
    conditions_on,
    place_of,
    sizes_of,
    under,
)
from derive.book.voice import Voice
from derive.book.writing import aligned, chain, display
from derive.costs import over, whole
from derive.costs.parameters import parameters
from derive.derivation import Derivation, Line, derivation_of, given, without
from derive.errors import ChapterError, StepError
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, Name, Number, as_formula
from derive.quantities import Variant
from derive.reading import read_model
from derive.text import Text


class Displays(Voice):
    """What is derived, line by line or in one."""

    __slots__ = ()

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
        return self._worked(Name("P_total"), as_formula(over(read.formulas.abbreviated(names), parameters)), sizes)

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
        share, where = self._percent(line.error.evaluate(sizes_of(at)[0]), 1), place_of(at, self.dialect)
        return text + (f"\n取 {where} 时为 {share}。\n" if chinese else f"\nor {share} for {where}.\n")

    def _worked(self, left: Formula, formula: Formula, sizes: Mapping[str, int]) -> str:
        put, result = with_numbers(formula, sizes), Number(formula.evaluate(sizes))
        if not equal(put, result):
            raise StepError(f"{left.text}: {put.text} is not {result.text}")
        return display(chain(left, [formula, put, result], self.dialect))
