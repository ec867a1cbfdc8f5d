"""Lightning attention: linear attention with a fixed decay a head, computed block by block."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.tensor import matrix, vector
from derive.formula.tree import Dim


def lightning_attention(d: Dim, d_q: Dim) -> Component:
    """Linear attention whose decay is fixed, with a norm and a gate on its output; every head has its own key and value.

    x: (n, d) -> Q, K and V: (n, d_q) -> state: (h, d_h, d_h) -> norm, gated: (n, d_q) -> y: (n, d)

    Counts   the decays are constants that some implementations store as buffers; they are no parameters.
    Source   MiniMax-01 2025, arXiv:2501.08313, section 2.2; Qin et al. 2024, arXiv:2401.04658.
    """
    return Component(
        "lightning attention",
        "P_lightning",
        (
            matrix("W_QKV", d, 3 * d_q),
            vector("γ", d_q),
            matrix("W_gate", d, d_q),
            matrix("W_O", d_q, d),
        ),
    )
