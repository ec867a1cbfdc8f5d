"""A component: the tensors of one building block, and how many such blocks stand side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from derive.architecture.tensor import Tensor, Use
from derive.formula.tree import Dim, Formula, Name, as_formula, total
from derive.records import dataclass

if TYPE_CHECKING:
    from derive.architecture.context import Context


@dataclass(frozen=True, slots=True)
class Component:
    """A building block.

    `symbol` names the parameters of one copy (`P_expert`); `copies` are stored, and `chosen` of them are used by
    a token (None: all of them). `context` is what the block does between tokens, if anything.
    """

    name: str
    symbol: str
    tensors: tuple[Tensor, ...]
    copies: Dim = 1
    chosen: Dim | None = None
    context: Context | None = None

    @property
    def active(self) -> Dim:
        """How many of the copies one token uses."""
        return self.copies if self.chosen is None else self.chosen

    @property
    def formula(self) -> Formula:
        """The stored parameters, as a formula of the dimensions."""
        return as_formula(self.copies * stored(self.tensors))

    @property
    def expr(self) -> Any:
        """The stored parameters as a SymPy expression."""
        return self.formula.expr

    @property
    def latex(self) -> str:
        """The stored parameters in LaTeX."""
        return self.formula.latex

    def _repr_latex_(self) -> str:
        return self.formula._repr_latex_()

    def abbreviated(self) -> Component:
        """The component with its tensors replaced by one of the size `symbol`: costs then read `E P_expert`."""
        return replace(self, tensors=(Tensor(self.symbol, (Name(self.symbol),), self.tensors[0].use),))


def stored(tensors: tuple[Tensor, ...]) -> Dim:
    """Learned elements of the tensors, each as often as it is stored."""
    sizes: Dim = total(tensor.copies * tensor.size for tensor in tensors if tensor.use is not Use.BUFFER)
    return sizes
