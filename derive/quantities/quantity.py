"""What a named quantity is: a closed form that comes out of components, out of other quantities, or out of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from derive.architecture.model import Model, Part
from derive.costs import Cost, over
from derive.costs.parameters import parameters
from derive.errors import FormulaError
from derive.formula.tree import Formula, Name, as_formula, total
from derive.records import dataclass
from derive.symbols import BY_NAME
from derive.text import Text

PARAMETERS = Text("parameters", "参数")


@dataclass(frozen=True, slots=True)
class Variant:
    """Which kind of block the named quantities speak of. The default is a LLaMA block: gated, RMSNorm, no biases."""

    bias: bool = False
    head_bias: bool = False
    ffn: Literal["gated", "two-matrix"] = "gated"
    norm: Literal["rms", "layer"] = "rms"
    positions: bool = False
    shared: bool = False

    def __post_init__(self) -> None:
        if self.ffn not in ("gated", "two-matrix"):
            raise FormulaError("unknown feed-forward network; known: gated, two-matrix", str(self.ffn))
        if self.norm not in ("rms", "layer"):
            raise FormulaError("unknown norm; known: rms, layer", str(self.norm))


DEFAULT_VARIANT = Variant()


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A named closed form, in its unit, under the conditions `given`."""

    name: str
    meaning: Text
    unit: Text = PARAMETERS
    given: Mapping[str, Formula] = field(default_factory=dict)

    @property
    def general(self) -> Formula:
        """The closed form before the conditions."""
        raise NotImplementedError

    @property
    def formula(self) -> Formula:
        """The closed form, terms in the order of the parts."""
        return self.general.substitute(self.given)

    @property
    def expr(self) -> Any:
        """The closed form as a SymPy expression."""
        return self.formula.expr

    @property
    def latex(self) -> str:
        """The equation `P_attn = …` in LaTeX."""
        return f"{Name(self.name).latex} = {self.formula.latex}"

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(Quantity):
    """The `cost` of a component, of layers or of a model.

    `first` are the parts whose closed forms a derivation puts in before all others, so that the rest stay as names a line
    longer.
    """

    subject: Part | Model
    cost: Cost = parameters
    first: tuple[str, ...] = ()

    @property
    def general(self) -> Formula:
        """The sum over the tensors, or over what the cost counts of them."""
        return as_formula(over(self.subject, self.cost))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed(Quantity):
    """A sum of terms, each with what it stands for; names of other quantities in them stand for their closed forms.

    `whole` is the same from another side, a cost over the model, and must be equal.
    """

    terms: tuple[tuple[Text, Formula], ...]
    definitions: Mapping[str, Formula] = field(default_factory=dict)
    whole: Formula | None = None

    @property
    def general(self) -> Formula:
        """The sum, like terms gathered, the definitions put in."""
        return as_formula(total(term for _, term in self.terms)).substitute(self.definitions)


def s(name: str) -> Formula:
    """A symbol of the vocabulary."""
    return Name(BY_NAME[name].name)


def defined(name: str, meaning: Text, unit: Text, definition: Formula, parts: Mapping[str, Formula], why: Text, **more: Any) -> Listed:
    """A quantity that other quantities define: `F_train = 3 F_token`."""
    return Listed(name=name, meaning=meaning, unit=unit, terms=((why, definition),), definitions=parts, **more)
