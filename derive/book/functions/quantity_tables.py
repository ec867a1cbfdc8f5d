"""Tables of symbols, of the tensors of quantities, and of the components of models and their counts."""

from __future__ import annotations

from typing import Unpack

from derive.architecture.component import Component
from derive.architecture.tensor import Tensor
from derive.book import words
from derive.book.functions.known_names import quantity_named, read_formula, symbol
from derive.book.functions.sizes import (
    Options,
    check_quantity,
    place_of,
    resolved,
    sizes_of,
)
from derive.book.voice import Voice, alike, digits
from derive.counting import Count, count
from derive.derivation import derivation_of
from derive.errors import ChapterError
from derive.formula.tree import Name, as_formula
from derive.quantities import Counted, Listed, Variant
from derive.symbols import BY_NAME
from derive.text import Text

WIDEST_CELL = 40
"""Characters of a formula that fit into a table; a longer one is named by its symbol."""


class QuantityTables(Voice):
    """Rows are symbols, tensors, terms, components or conventions."""

    __slots__ = ()

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
            elements = as_formula(tensor.size)
            number = [digits(elements.evaluate(sizes))] if at else []
            rows.append([self._inline(Name(tensor.name)), self._shape(tensor), self._inline(elements), *number])
        heading = [words.TENSOR, words.SHAPE, words.ELEMENTS, *([alike(place_of(at, self.dialect))] if at else [])]
        return self._table(heading, rows, right=(3,))

    def tensor_map(self, *names: str, **variant: Unpack[Options]) -> str:
        """The tensors of several components, one after the other: shape, elements, and where each belongs."""
        rows = []
        for name in names:
            for tensor in _component(name, **variant).tensors:
                place = self._sentence(quantity_named(name).meaning)
                rows.append([self._inline(Name(tensor.name)), self._shape(tensor), self._inline(as_formula(tensor.size)), place])
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

    def _component_row(self, counts: Count, at: int, sparse: bool) -> list[str]:
        part = counts.components[at]
        formula = self._inline(part.formula if len(part.formula.text) <= WIDEST_CELL else part.abbreviation)
        name = words.component(part.name).in_(self.language)
        active = [digits(part.active)] if sparse else []
        return [name, formula, digits(part.parameters), self._share_in_table(part.parameters, counts.total), *active]

    def _shape(self, tensor: Tensor) -> str:
        return f"$({', '.join(self.dialect.write(as_formula(length)) for length in tensor.shape)})$"


def _component(name: str, **variant: Unpack[Options]) -> Component:
    """The component whose tensors a quantity counts."""
    wanted = quantity_named(name, Variant(**variant))
    component = wanted.subject if isinstance(wanted, Counted) else None
    if not isinstance(component, Component):
        raise ChapterError(f"{name} is not one component, so it has no table of tensors")
    return component
