"""The exact parameters of a configured model, and the formulas they come from.

A family is read twice: with the sizes as numbers for the counts, and as symbols for the closed form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from derive.architecture.model import Model
from derive.costs import Cost, over, whole
from derive.costs import parameters as costs
from derive.families import stored_beside
from derive.families._sizes import Sizes
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, as_formula
from derive.reading import ReadModel, Source, read_model

CONVENTIONS: dict[str, str] = {
    "total": "stored learnable scalars; a shared tensor counts once; buffers are not counted",
    "active_with_buffers": "active plus the routing correction",
    "total_with_buffers": "total plus stored elements that no gradient moves (the routing correction)",
    "active": "whole modules that one token passes through: the chosen and the shared experts, the whole router, "
    "the embedding and the output head as stored",
    "active_without_input_embedding": "active without the tables that are only looked up (input embedding, "
    "positions); the output matrix counts once, also when it is tied",
    "active_non_embedding": "active without embedding, positions and output head",
    "non_embedding": "total without embedding, positions and output head",
    "linear": "P_lin: weight matrices of the layers that multiply one token's hidden state; no norms, biases, lookups or head",
}

_COSTS: dict[str, Cost] = {
    "total": costs.parameters,
    "active": costs.active_parameters,
    "active_without_input_embedding": costs.active_without_input_embedding,
    "active_non_embedding": costs.active_non_embedding,
    "non_embedding": costs.non_embedding,
    "linear": costs.linear_parameters,
}


@dataclass(frozen=True, slots=True)
class ComponentCount:
    """One component over the whole model: its formula, the numbers put in, and both counts [elements].

    `abbreviation` is the formula by the component's symbol: `L P_attn`.
    """

    name: str
    formula: Formula
    abbreviation: Formula
    numbers: Formula
    parameters: int
    active: int


@dataclass(frozen=True, slots=True)
class Count:
    """The exact count of one model.

    `parameters` holds the integers by convention (`CONVENTIONS` says what each counts), `closed_form` the total as a formula, and
    `stored` what a checkpoint that keeps everything holds, item by item, where that is more than the parameters.
    """

    model: str
    family: str
    symbols: Mapping[str, int]
    parameters: Mapping[str, int]
    components: tuple[ComponentCount, ...]
    closed_form: Formula
    notes: tuple[str, ...]
    stored: Mapping[str, int]

    @property
    def total(self) -> int:
        """Stored learnable scalars [elements]."""
        return self.parameters["total"]

    @property
    def active(self) -> int:
        """Whole-module active parameters, both ends of the vocabulary included [elements]."""
        return self.parameters["active"]

    @property
    def expr(self) -> Any:
        """The closed form of the total as a SymPy expression."""
        return self.closed_form.expr

    @property
    def latex(self) -> str:
        """The closed form of the total in LaTeX."""
        return self.closed_form.latex

    def _repr_latex_(self) -> str:
        return self.closed_form._repr_latex_()

    def as_dict(self) -> dict[str, Any]:
        """What `derive count --json` prints."""
        return {
            "model": self.model,
            "family": self.family,
            "symbols": dict(self.symbols),
            "parameters": dict(self.parameters),
            "components": [
                {
                    "name": part.name,
                    "formula": part.formula.text,
                    "latex": part.formula.latex,
                    "parameters": part.parameters,
                    "active": part.active,
                }
                for part in self.components
            ],
            **({"stored": dict(self.stored)} if self.stored else {}),
            "closed_form": {"text": self.closed_form.text, "latex": self.closed_form.latex},
            "conventions": {name: CONVENTIONS[name] for name in self.parameters},
            "notes": list(self.notes),
        }


def count(source: Source) -> Count:
    """Count the parameters of a config.json (a path or a folder), of its content as a dictionary, or of a bundled model.

    Raises `ConfigError` where the configuration is malformed or its architecture is not known.
    """
    return count_model(read_model(source))


def count_model(read: ReadModel) -> Count:
    """The count of a model that has been read."""
    return Count(
        model=read.name,
        family=read.family,
        symbols=MappingProxyType(dict(read.sizes)),
        parameters=MappingProxyType(_by_convention(read.numbers)),
        components=_components(read),
        closed_form=as_formula(over(read.formulas, costs.parameters)),
        notes=read.notes,
        stored=MappingProxyType(stored_beside(read.config, Sizes(read.sizes), read.numbers)),
    )


def _by_convention(numbers: Model) -> dict[str, int]:
    """The integers under every convention; the one with buffers only where there are any."""
    counts = {convention: whole(over(numbers, cost)) for convention, cost in _COSTS.items()}
    buffers = whole(over(numbers, costs.buffers))
    with_buffers = {f"{name}_with_buffers": counts[name] + buffers for name in ("total", "active")}
    return counts | (with_buffers if buffers else {})


def _components(read: ReadModel) -> tuple[ComponentCount, ...]:
    rows = []
    for (layers, counted), (repeated, written) in zip(read.numbers.components, read.formulas.components, strict=True):
        if not counted.tensors:
            continue
        formula = as_formula(repeated * costs.parameters(written))
        if formula == as_formula(0):  # weights of another component, run again
            continue
        rows.append(
            ComponentCount(
                name=counted.name,
                formula=formula,
                abbreviation=as_formula(repeated * costs.parameters(written.abbreviated())),
                numbers=with_numbers(formula, read.sizes),
                parameters=whole(layers * costs.parameters(counted)),
                active=whole(layers * costs.active_parameters(counted)),
            )
        )
    return tuple(rows)
