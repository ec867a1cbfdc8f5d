"""The exact parameters of a configured model, and the formulas they come from.

A family is read twice: with the sizes as numbers for the counts, and as symbols for the closed form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from os.path import exists
from typing import Any

from derive.architecture.model import Model
from derive.config import Config, config_of, parse_config, read_config
from derive.costs import Cost, over
from derive.costs import parameters as costs
from derive.errors import ConfigError
from derive.families import family_of
from derive.families._sizes import Sizes, symbols
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, as_formula

CONVENTIONS: dict[str, str] = {
    "total": "stored learnable scalars; a shared tensor counts once; buffers are not counted",
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

    `parameters` holds the integers by convention (`CONVENTIONS` says what each counts), `closed_form` the total as a formula.
    """

    model: str
    family: str
    symbols: Mapping[str, int]
    parameters: Mapping[str, int]
    components: tuple[ComponentCount, ...]
    closed_form: Formula
    notes: tuple[str, ...]

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
            "closed_form": {"text": self.closed_form.text, "latex": self.closed_form.latex},
            "conventions": {name: CONVENTIONS[name] for name in self.parameters},
            "notes": list(self.notes),
        }


def count(source: str | PathLike[str] | Mapping[str, Any] | Config) -> Count:
    """Count the parameters of a config.json (a path or a folder), of its content as a dictionary, or of a bundled model.

    Raises `ConfigError` where the configuration is malformed or its architecture is not known.
    """
    name, config = _configuration(source)
    family = family_of(config)
    sizes = family.sizes(config)
    numbers = family.model(Sizes(sizes), config)
    formulas = family.model(symbols(sizes), config)
    return Count(
        model=name,
        family=config.model_type,
        symbols=sizes,
        parameters=_by_convention(numbers),
        components=_components(numbers, formulas, sizes),
        closed_form=as_formula(over(formulas, costs.parameters)),
        notes=family.notes(config),
    )


def _by_convention(numbers: Model) -> dict[str, int]:
    """The integers under every convention; the one with buffers only where there are any."""
    counts = {convention: _whole(over(numbers, cost)) for convention, cost in _COSTS.items()}
    buffers = _whole(over(numbers, costs.buffers))
    return counts | ({"total_with_buffers": counts["total"] + buffers} if buffers else {})


def _components(numbers: Model, formulas: Model, sizes: Mapping[str, int]) -> tuple[ComponentCount, ...]:
    rows = []
    for (layers, counted), (repeated, written) in zip(numbers.components, formulas.components, strict=True):
        formula = as_formula(repeated * costs.parameters(written))
        rows.append(
            ComponentCount(
                name=counted.name,
                formula=formula,
                abbreviation=as_formula(repeated * costs.parameters(written.abbreviated())),
                numbers=with_numbers(formula, sizes),
                parameters=_whole(layers * costs.parameters(counted)),
                active=_whole(layers * costs.active_parameters(counted)),
            )
        )
    return tuple(rows)


def _configuration(source: str | PathLike[str] | Mapping[str, Any] | Config) -> tuple[str, Config]:
    """The configuration, and the name by which the model is called."""
    if isinstance(source, Config):
        return source.source, source
    if isinstance(source, Mapping):
        return "config", config_of(source, "config")
    path = fspath(source)
    if _there(path):
        config = read_config(path)
        return str(config.values.get("_name_or_path") or path), config
    from derive.models import bundled_model

    model = bundled_model(path)
    if model is not None:
        return model.name, model.config
    if path.endswith(".json") or "/" in path:
        raise ConfigError(f"{path}: no such file")
    raise ConfigError(f"{path[:80]}: neither a file nor a bundled model; 'derive models' lists the models")


def count_bytes(content: bytes, name: str) -> Count:
    """Count the configuration in the bytes of a JSON document, such as standard input."""
    return count(parse_config(content, name))


def _there(path: str) -> bool:
    """Whether the path leads to something; a name that no file can have does not."""
    try:
        return bool(path) and exists(path)
    except ValueError:
        return False


def _whole(value: Any) -> int:
    return int(value)
