"""Selective state spaces: the recurrence that Mamba and its second version put in the place of attention."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.convolution import depthwise
from derive.architecture.tensor import Tensor, Use, matrix, vector
from derive.formula.tree import Dim


def selective_state_space(
    d: Dim, d_rec: Dim, d_state: Dim, d_conv: Dim, r_dt: Dim, *, bias: bool = False, conv_bias: bool = True, norms: bool = False
) -> Component:
    """The selective state space of Mamba: each channel has a state of its own and its own decay.

    x: (n, d) -> u and z: (n, d_rec) -> conv -> dt: (n, r_dt), B and C: (n, d_state) -> state: (d_rec, d_state) -> y: (n, d)

    Counts   `bias` on the two outer projections; the one of the step size always has one; `norms` are RMSNorm scales on
             dt, B and C (Jamba).
    Source   Gu and Dao 2023, arXiv:2312.00752, section 3; norms: Jamba 2024, arXiv:2403.19887, section 6.4.
    """
    return Component(
        "state space",
        "P_ssm",
        (
            matrix("W_in", d, 2 * d_rec),
            *((vector("b_in", 2 * d_rec),) if bias else ()),
            *depthwise(d_rec, d_conv, bias=conv_bias),
            matrix("W_x", d_rec, r_dt + 2 * d_state),
            matrix("W_dt", r_dt, d_rec),
            vector("b_dt", d_rec),
            Tensor("A", (d_rec, d_state), Use.VECTOR),
            vector("D", d_rec),
            matrix("W_out", d_rec, d),
            *((vector("b_out", d),) if bias else ()),
            *((vector("γ_dt", r_dt), vector("γ_B", d_state), vector("γ_C", d_state)) if norms else ()),
        ),
    )


def state_space_duality(
    d: Dim,
    d_rec: Dim,
    d_state: Dim,
    d_conv: Dim,
    h_ssm: Dim,
    g_ssm: Dim,
    *,
    bias: bool = False,
    out_bias: bool | None = None,
    conv_bias: bool = True,
    norm: bool = True,
) -> Component:
    """The state space of Mamba-2: one decay a head, B and C shared by the heads of a group.

    x: (n, d) -> z: (n, d_rec), u, B and C: (n, d_rec + 2 g_ssm d_state) -> conv, dt: (n, h_ssm)
      -> state: (h_ssm, d_rec / h_ssm, d_state) -> norm -> y: (n, d)

    Counts   `bias` on the input projection and, unless `out_bias` says otherwise, on the output projection; `norm` the
             scale of the gated RMSNorm before the output.
    Source   Dao and Gu 2024, arXiv:2405.21060, sections 6 and 7.
    """
    mixed = d_rec + 2 * g_ssm * d_state
    projected = d_rec + mixed + h_ssm
    return Component(
        "state space",
        "P_ssm",
        (
            matrix("W_in", d, projected),
            *((vector("b_in", projected),) if bias else ()),
            *depthwise(mixed, d_conv, bias=conv_bias),
            vector("b_dt", h_ssm),
            vector("A", h_ssm),
            vector("D", h_ssm),
            *((vector("γ", d_rec),) if norm else ()),
            matrix("W_out", d_rec, d),
            *((vector("b_out", d),) if (bias if out_bias is None else out_bias) else ()),
        ),
    )
