"""Gated linear recurrences: the RG-LRU of Griffin, and RWKV's receptance-weighted time mixing."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.convolution import depthwise
from derive.architecture.tensor import Tensor, Use, matrix, vector
from derive.formula.tree import Dim


def recurrent_block(d: Dim, d_rec: Dim, d_conv: Dim, h: Dim, d_block: Dim) -> Component:
    """The recurrent block around the real-gated linear recurrent unit (RG-LRU), biases everywhere.

    x: (n, d) -> u and z: (n, d_rec) -> conv of u -> RG-LRU: (n, d_rec) -> times GELU(z) -> y: (n, d)

    Counts   the two gates of the unit are h blocks of (d_block, d_block) each, block-diagonal over d_rec = h d_block.
    Source   De et al. 2024 (Griffin), arXiv:2402.19427, sections 2.3 and 2.4, appendix A.
    """
    blocks = tuple(Tensor(name, (h, d_block, d_block), Use.MATMUL) for name in ("W_input", "W_recurrent"))
    return Component(
        "recurrent block",
        "P_recurrent",
        (
            matrix("W_gate", d, d_rec),
            matrix("W_in", d, d_rec),
            *depthwise(d_rec, d_conv, bias=True),
            *blocks,
            vector("decay", d_rec),
            matrix("W_out", d_rec, d),
            *(vector(name, d_rec) for name in ("b_gate", "b_in", "b_input", "b_recurrent")),
            vector("b_out", d),
        ),
    )


def time_mixing(d: Dim, d_q: Dim) -> Component:
    """RWKV's time mixing (version 4): a decaying average of values, weighted by keys and gated by the receptance.

    x: (n, d) -> K, V and R: (n, d_q) -> two sums and a maximum: (d_q,) -> y: (n, d)

    Counts   a decay and a bonus a channel, and three shares of the token before.
    Source   Peng et al. 2023, arXiv:2305.13048, section 3.1.
    """
    shares = (vector(f"mu_{name}", d) for name in ("K", "V", "R"))
    matrices = (*(matrix(f"W_{name}", d, d_q) for name in ("K", "V", "R")), matrix("W_O", d_q, d))
    return Component("time mixing", "P_time", (*matrices, vector("decay", d_q), vector("bonus", d_q), *shares))


def channel_mixing(d: Dim, m: Dim) -> Component:
    """RWKV's channel mixing (version 4): a two-matrix feed-forward network behind a gate as wide as the residual stream.

    x: (n, d) -> K: (n, m), R: (n, d) -> R * V(K^2): (n, d)

    Counts   two shares of the token before.
    Source   Peng et al. 2023, arXiv:2305.13048, section 3.1.
    """
    matrices = (matrix("W_K", d, m), matrix("W_R", d, d), matrix("W_V", m, d))
    return Component("channel mixing", "P_channel", (*matrices, vector("mu_K", d), vector("mu_R", d)))
