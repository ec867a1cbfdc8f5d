"""The vocabulary at both ends of the model, and learned positions."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import Tensor, Use, vector
from derive.formula.tree import Dim


def token_embedding(V: Dim, d: Dim) -> Component:
    """The token embedding: one row for each vocabulary entry; a token reads one row.

    token: (n,) -> x: (n, d)

    Source   Vaswani et al. 2017, arXiv:1706.03762, section 3.4.
    """
    return Component("token embedding", "P_tok", (Tensor("W_E", (V, d), Use.LOOKUP),))


def learned_positions(n_ctx: Dim, d: Dim) -> Component:
    """The table of learned positions: one row for each position.

    position: (n,) -> x: (n, d)

    Source   Radford et al. 2019 (GPT-2), section 2.3.
    """
    return Component("learned positions", "P_pos", (Tensor("W_P", (n_ctx, d), Use.LOOKUP),))


def head(V: Dim, d: Dim, c: Dim, *, bias: bool = False) -> Component:
    """The output head. `c` copies of the embedding matrix are stored in all: with c = 1 the head is the embedding
    itself and stores nothing more, with c = 2 it has a matrix of its own. The product with it runs either way.

    x: (n, d) -> logits: (n, V)

    Source   Press and Wolf 2017, arXiv:1608.05859.
    """
    biases = (vector("b_U", V),) if bias else ()
    return Component("output head", "P_head", (Tensor("W_U", (d, V), Use.OUTPUT, copies=c - 1), *biases))


def embedding_and_head(V: Dim, d: Dim, c: Dim, *, bias: bool = False) -> Component:
    """Both ends of the vocabulary together: c V d, and V more with a `bias` on the output.

    Counts   c stored copies of one matrix: 1 tied, 2 not.
    Source   Press and Wolf 2017, arXiv:1608.05859.
    """
    tensors = (*token_embedding(V, d).tensors, *head(V, d, c, bias=bias).tensors)
    return Component("embedding and head", "P_emb", tensors)
