"""A tensor: a name, a shape, and what is done with it."""

from __future__ import annotations

from enum import Enum

from derive.formula.tree import Dim
from derive.records import dataclass


class Use(Enum):
    """What a forward pass does with a tensor; costs tell tensors apart by this."""

    MATMUL = "multiplied with the hidden states"
    LOOKUP = "one row read per token"
    OUTPUT = "multiplied with the last hidden state to give the logits"
    VECTOR = "added or multiplied element by element"
    BUFFER = "stored with the weights, but not learned by gradient"


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array of weights.

    `copies` is how often it is stored; the output head of a tied model is used but stored 0 times.
    """

    name: str
    shape: tuple[Dim, ...]
    use: Use
    copies: Dim = 1

    @property
    def size(self) -> Dim:
        """Elements of one copy: the product of the shape."""
        size: Dim = 1
        for length in self.shape:
            size = size * length
        return size


def matrix(name: str, rows: Dim, columns: Dim) -> Tensor:
    """A weight matrix that hidden states are multiplied with; `(rows, columns)` is (input, output)."""
    return Tensor(name, (rows, columns), Use.MATMUL)


def vector(name: str, length: Dim) -> Tensor:
    """A bias or a scale, applied element by element."""
    return Tensor(name, (length,), Use.VECTOR)
