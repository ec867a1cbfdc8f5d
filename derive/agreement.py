"""Whether a quantity at a model's sizes is what that model really has: its own cost, from its own tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from derive.architecture.component import stored
from derive.costs import over, whole
from derive.costs.cache import cache_elements, cache_per_token
from derive.costs.flops import linear_flops, logits_flops, pair_flops, prefill_flops, token_flops, uncounted
from derive.costs.memory import SCHEMES
from derive.costs.parameters import active_parameters, linear_parameters, parameters
from derive.errors import FormulaError
from derive.formula.tree import Number
from derive.reading import ReadModel

Own: TypeAlias = Callable[[ReadModel, Mapping[str, int]], Any]


def _over(cost: Callable[..., Any]) -> Own:
    return lambda read, sizes: over(read.numbers, cost)


def _forward(times: int) -> Own:
    return lambda read, sizes: times * token_flops(read.numbers, sizes["n"])


def _training(scheme: str) -> Own:
    return lambda read, sizes: SCHEMES[scheme].bytes_per_parameter * whole(over(read.numbers, parameters))


_TRAINING = {
    "M_train": "mixed",
    "M_train_fp32": "fp32",
    "M_train_18": "mixed-fp32-gradients",
    "M_train_20": "mixed-both-gradients",
    "M_train_adam8bit": "adam-8bit",
    "M_train_sgd": "sgd",
}


def _cached(read: ReadModel, sizes: Mapping[str, int]) -> Any:
    return over(read.numbers, lambda component: cache_elements(component, sizes["n"]))


_COMMON: dict[str, Own] = {
    "F_attn": lambda read, sizes: over(read.numbers, lambda component: sizes["n"] * pair_flops(component)),
    "F_logits": _over(logits_flops),
    "N_kv": _over(cache_per_token),
    "N_kv_mla": _over(cache_per_token),
    "N_kv_window": _cached,
    "M_kv": lambda read, sizes: _cached(read, sizes) * sizes["B"] * sizes["b"],
    "M_kv_mla": lambda read, sizes: _cached(read, sizes) * sizes["B"] * sizes["b"],
}

_DENSE: dict[str, Own] = {
    "P_total": _over(parameters),
    "P_lin": _over(linear_parameters),
    "F_lin": _over(linear_flops),
    "F_token": _forward(1),
    "F_prefill": lambda read, sizes: prefill_flops(read.numbers, sizes["n"]),
    "F_prefill_causal": lambda read, sizes: prefill_flops(read.numbers, sizes["n"], causal=True),
    "F_train": _forward(3),
    "F_train_recomputed": _forward(4),
    "F_rule": lambda read, sizes: 6 * whole(over(read.numbers, parameters)),
    "M_weights": lambda read, sizes: sizes["b"] * whole(over(read.numbers, parameters)),
    **{name: _training(scheme) for name, scheme in _TRAINING.items()},
}
_SPARSE: dict[str, Own] = {
    "P_total_MoE": _over(parameters),
    "P_active": _over(active_parameters),
    "P_lin_MoE": _over(linear_parameters),
    "F_lin_MoE": _over(linear_flops),
    "F_token_MoE": _forward(1),
}
_MIXED: dict[str, Own] = {
    "P_total_mixed": _over(parameters),
    "P_active_mixed": _over(active_parameters),
    "P_lin_mixed": _over(linear_parameters),
    "F_lin_mixed": _over(linear_flops),
    "F_token_mixed": _forward(1),
}


_BY_KIND = {"dense layers only": _DENSE, "experts in every layer": _SPARSE, "both dense layers and layers with experts": _MIXED}


def kind_of(read: ReadModel) -> str:
    """Dense, with experts in every layer, or mixed."""
    if "L_D" in read.sizes:
        return "both dense layers and layers with experts"
    return "experts in every layer" if "E" in read.sizes else "dense layers only"


def check_own(name: str, value: Any, read: ReadModel, sizes: Mapping[str, int]) -> None:
    """`FormulaError` where the model has no such quantity, or another number (None: not looked at): its tensors or windows differ.

    A model with layers of another kind than attention has only the quantities of the parts that it has.
    """
    if uncounted(read.numbers) and not any(component.symbol == name for _, component in read.numbers.components):
        raise FormulaError(
            f"{name} is a quantity of models that attend in every layer, but {read.name} has layers with a recurrence or a convolution; "
            "'derive count' counts them",
            name,
        )
    kind = _other_kind(name, read)
    if kind is not None:
        fitting = {"dense layers only": "", "experts in every layer": "_MoE"}.get(kind, "_mixed")
        base = name.removesuffix("_MoE").removesuffix("_mixed")
        known = next((each for each in (base + fitting, base) if each in _BY_KIND[kind]), None)
        instead = f"; use {known}" if known else ""
        raise FormulaError(f"{name} is not a quantity of {read.name}, which has {kind}{instead}", name)
    own = own_value(name, read, sizes) if value is not None else None
    if own is not None and own != value:
        raise FormulaError(
            f"{name} of this kind comes to {Number(value).text}, but {read.name} has {own:,}: its tensors or windows are of another "
            "kind; see the options --ffn, --norm, --bias and --positions, or 'derive count'",
            name,
        )


def _other_kind(name: str, read: ReadModel) -> str | None:
    """The kind of a model, where a quantity belongs to models of another kind."""
    kind = kind_of(read)
    return kind if any(name in table for table in _BY_KIND.values()) and name not in _BY_KIND[kind] else None


def own_value(name: str, read: ReadModel, sizes: Mapping[str, int]) -> Any:
    """What the model itself has under the name of a quantity; None if unknown."""
    own = _COMMON.get(name) or _BY_KIND[kind_of(read)].get(name)
    if own is not None:
        return own(read, sizes)
    found = [stored(component.tensors) for _, component in read.numbers.components if component.symbol == name]
    return whole(found[0]) if found else None
