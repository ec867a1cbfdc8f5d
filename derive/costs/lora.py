"""Low-rank adaptation: two thin matrices beside each chosen projection."""

from __future__ import annotations

from collections.abc import Iterable

from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.architecture.tensor import Tensor, Use
from derive.costs import over
from derive.errors import ConfigError
from derive.formula.tree import Dim, total

GROUPS = ("attention", "feed-forward", "linear", "all")
_SHORT = {"gate": "W_gate", "up": "W_up", "down": "W_down", "router": "W_R"}


def lora_parameters(model: Model, r: Dim, targets: Iterable[str]) -> Dim:
    """Trainable parameters of rank-r updates [elements]: r (d_in + d_out) for each chosen projection.

    `targets` are groups, or projections by name (q, k, v, o, gate, up, down, or the tensor's own name):
    `attention`; `feed-forward`, dense networks and shared experts; `linear`, both; `all`, also the routed experts.

    Counts   each matrix on its own, also where an implementation stores several fused; the router never; each expert has
             its own update.
    Source   Hu et al. 2021, arXiv:2106.09685, section 4.1.
    Raises   `ConfigError` for a target that the model does not have.
    """
    wanted = tuple(targets)
    for target in wanted:
        if not any(_chosen(component, tensor, target) for _, component in model.components for tensor in component.tensors):
            raise ConfigError(f"no projection '{target[:40]}' in this model; there are {', '.join(_names(model))}")
    return over(model, lambda component: _update(component, r, wanted))


def _update(component: Component, r: Dim, targets: tuple[str, ...]) -> Dim:
    chosen = (tensor for tensor in component.tensors if any(_chosen(component, tensor, target) for target in targets))
    each: Dim = total(r * (tensor.shape[0] + tensor.shape[1]) for tensor in chosen)
    return component.copies * each


def _chosen(component: Component, tensor: Tensor, target: str) -> bool:
    if tensor.use is not Use.MATMUL or component.name == "router":
        return False
    if target in GROUPS:
        return component.name in _members(target)
    return component.name != "routed experts" and tensor.name in (target, _SHORT.get(target), _projection(target))


def _members(group: str) -> tuple[str, ...]:
    attention, dense = ("attention", "latent attention"), ("feed-forward", "shared experts")
    return {
        "attention": attention,
        "feed-forward": dense,
        "linear": (*attention, *dense),
        "all": (*attention, *dense, "routed experts"),
    }[group]


def _projection(target: str) -> str:
    """`q` and `q_proj` for W_Q."""
    return f"W_{target.removesuffix('_proj').upper()}"


def _names(model: Model) -> tuple[str, ...]:
    names = (tensor.name for _, component in model.components for tensor in component.tensors if tensor.use is Use.MATMUL)
    return (*dict.fromkeys(name for name in names if name != "W_R"), *GROUPS)
