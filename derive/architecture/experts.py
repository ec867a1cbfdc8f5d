"""Mixtures of experts: the router, the routed experts, the shared experts and their gate."""

from __future__ import annotations

from dataclasses import replace

from derive.architecture.component import Component
from derive.architecture.tensor import Tensor, Use, matrix, vector
from derive.formula.tree import Dim


def router(d: Dim, E: Dim, *, bias: bool = False, correction: bool = False) -> Component:
    """The router: one score for each of the E experts, for every token.

    x: (n, d) -> scores: (n, E)

    Counts   `correction` is a bias that load balancing moves, not the gradient: a buffer, counted apart.
    Source   Fedus et al. 2021, arXiv:2101.03961, section 2.1; correction: DeepSeek-V3 2024, arXiv:2412.19437, section 2.1.2.
    """
    extra: tuple[Tensor, ...] = (vector("b_R", E),) if bias else ()
    if correction:
        extra = (*extra, Tensor("b_correction", (E,), Use.BUFFER))
    return Component("router", "P_router", (matrix("W_R", d, E), *extra))


def routed_experts(expert: Component, E: Dim, k: Dim) -> Component:
    """E equal feed-forward networks, of which the router chooses k for each token.

    x: (n, d) -> k of E experts -> y: (n, d)

    Source   Jiang et al. 2024 (Mixtral), arXiv:2401.04088, section 2.1.
    """
    return replace(expert, name="routed experts", symbol="P_expert", copies=E, chosen=k)


def shared_experts(expert: Component, E_s: Dim) -> Component:
    """E_s feed-forward networks that every token passes through, beside the routed ones.

    x: (n, d) -> y: (n, d)

    Source   DeepSeekMoE 2024, arXiv:2401.06066, section 3.2.
    """
    return replace(expert, name="shared experts", symbol="P_shared", copies=E_s)


def shared_expert_gate(d: Dim) -> Component:
    """The gate that scales the shared experts' output: one number for each token.

    x: (n, d) -> (n, 1)

    Source   Qwen2 2024, arXiv:2407.10671, section 2.2.2.
    """
    return Component("shared-expert gate", "P_gate", (matrix("W_gate", d, 1),))
