"""Low-rank adaptation: two thin matrices beside each chosen projection."""

from __future__ import annotations

from collections.abc import Iterable

from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.architecture.tensor import Tensor, Use
from derive.costs import over
from derive.errors import ConfigError
from derive.formula.tree import Dim, total

_ATTENTION = ("attention", "gated attention", "attention gate", "latent attention")
_RECURRENT = (
    "state space", "gated delta net", "delta attention", "lightning attention", "recurrent block", "short convolution", "time mixing",
    "matrix memory",
)  # fmt: skip
_FEED_FORWARD = ("feed-forward", "channel mixing", "shared experts")

GROUPS: dict[str, tuple[str, ...]] = {
    "attention": _ATTENTION,
    "recurrent": _RECURRENT,
    "feed-forward": _FEED_FORWARD,
    "experts": ("routed experts",),
    "linear": (*_ATTENTION, *_RECURRENT, *_FEED_FORWARD),
    "all-linear": (*_ATTENTION, *_RECURRENT, *_FEED_FORWARD, "routed experts"),
}
"""Groups of projections by the components that hold them; `linear` is without the routed experts, `all-linear` with them."""

_OTHER_NAMES = {
    "gate": "W_gate", "up": "W_up", "down": "W_down", "q_a_proj": "W_DQ", "q_b_proj": "W_UQ", "kv_a_proj_with_mqa": "W_DKV",
    "kv_b_proj": "W_UKV", "c_proj": "W_O", "c_fc": "W_up",
}  # fmt: skip
FUSED = {"c_attn": ("W_Q", "W_K", "W_V"), "qkv": ("W_Q", "W_K", "W_V"), "qkv_proj": ("W_Q", "W_K", "W_V")}
"""Projections that implementations store as one matrix: one update beside all of them."""


def lora_parameters(model: Model, r: Dim, targets: Iterable[str]) -> Dim:
    """Trainable parameters of rank-r updates [elements]: r (d_in + d_out) for each chosen projection.

    `targets` are groups (`GROUPS`), or projections by name: q, k, v, o, gate, up, down, the names of implementations
    (q_proj, kv_a_proj_with_mqa, c_attn), or the tensor's own. A name means the projection outside the routed experts.

    Counts   each matrix on its own, unless the target is a fused one; the router never; each expert has its own update.
    Source   Hu et al. 2021, arXiv:2106.09685, section 4.1.
    Raises   `ConfigError` for a rank below 1 and for a target that the model does not have.
    """
    wanted = tuple(target.lower() for target in targets)
    if isinstance(r, int) and r < 1:
        raise ConfigError(f"the rank of an adapter is at least 1, not {r}")
    components = [component for _, component in model.components]
    for target in wanted:
        if not any(_reached(component, target) for component in components):
            raise ConfigError(f"no projection '{target[:40]}' in this model; there are {', '.join(_names(components))}")
    return over(model, lambda component: _update(component, r, wanted))


def _update(component: Component, r: Dim, targets: tuple[str, ...]) -> Dim:
    fused = next((target for target in targets if target in FUSED), None)
    together = [tensor for tensor in component.tensors if fused and component.name in GROUPS["attention"] and tensor.name in FUSED[fused]]
    alone = [
        tensor
        for tensor in _projections(component)
        if tensor not in together and any(_chosen(component, tensor, target) for target in targets)
    ]
    each: Dim = total(r * (tensor.shape[0] + tensor.shape[1]) for tensor in alone)
    if together:
        each = each + r * (together[0].shape[0] + total(tensor.shape[1] for tensor in together))
    return component.copies * each


def _reached(component: Component, target: str) -> bool:
    return any(_chosen(component, tensor, target) for tensor in _projections(component))


def _projections(component: Component) -> list[Tensor]:
    """The matrices beside which an adapter can stand: all but the router's, those in diagonal blocks and those of a shared block again."""
    matrices = (tensor for tensor in component.tensors if tensor.use is Use.MATMUL and component.name != "router")
    return [tensor for tensor in matrices if len(tensor.shape) == 2 and tensor.copies != 0]


def _chosen(component: Component, tensor: Tensor, target: str) -> bool:
    if target in GROUPS:
        return component.name in GROUPS[target]
    if component.name in GROUPS["experts"]:
        return False
    names = FUSED.get(target, (_OTHER_NAMES.get(target, ""), f"W_{target.removesuffix('_proj').upper()}", target))
    return tensor.name in names or tensor.name.lower() == target


def _names(components: list[Component]) -> tuple[str, ...]:
    """What can be chosen in a model: projections outside the routed experts, and the groups that have members."""
    names = (tensor.name for component in components if component.name not in GROUPS["experts"] for tensor in _projections(component))
    groups = (group for group in GROUPS if any(_reached(component, group) for component in components))
    return (*dict.fromkeys(names), *groups)
