"""What the parts of a model compute, as displays: the networks whose tensors are counted, and what a layer of experts gives."""

from __future__ import annotations

from derive.book.voice import Voice
from derive.book.writing import display
from derive.errors import ChapterError
from derive.formula.tree import Name

_ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU"}


class Definitions(Voice):
    """Functions of a hidden state x; their tensors are named as the tables name them."""

    __slots__ = ()

    def network(self, kind: str) -> str:
        """The feed-forward network that is counted: `gelu` or `relu` with two matrices and biases, `swiglu` with three and none."""
        if kind == "swiglu":
            right = rf"\left(\mathrm{{SiLU}}(x{self._of('W_gate')}) \odot x{self._of('W_up')}\right) {self._of('W_down')}"
        elif kind in _ACTIVATIONS:
            up, down, shift, last = map(self._of, ("W_up", "W_down", "b_up", "b_down"))
            right = rf"\mathrm{{{_ACTIVATIONS[kind]}}}(x{up} + {shift}) {down} + {last}"
        else:
            raise ChapterError(f"no network '{kind}'; known: {', '.join((*_ACTIVATIONS, 'swiglu'))}")
        return display(rf"\mathrm{{FFN}}(x) = {right}")

    def mixed_output(self) -> str:
        """What a layer of experts gives: the outputs of the chosen ones, each times its weight."""
        return display(r"y = \sum_{i \thinspace \in \thinspace \text{top-}k} w_i \thinspace \mathrm{Expert}_i(x)")

    def _of(self, tensor: str) -> str:
        return self.dialect.write(Name(tensor))
