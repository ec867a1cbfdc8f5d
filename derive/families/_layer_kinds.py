"""Which kind of block stands in which layer, where the layers of a model are not all of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from derive.config import Config
from derive.families._layer_lists import layer_numbers, layer_numbers_below, listed

ATTENTION, SLIDING, RECURRENT, CONVOLUTION = "attention", "sliding", "recurrent", "convolution"
EXPERTS, DENSE = "experts", "dense"
SYMBOL_OF = {
    ATTENTION: "L_F", SLIDING: "L_S", RECURRENT: "L_rec", CONVOLUTION: "L_conv", EXPERTS: "L_M", DENSE: "L_D",
}  # fmt: skip

FULL_OR_LINEAR: Mapping[str, str] = {
    "full_attention": ATTENTION, "attention": ATTENTION, "linear_attention": RECURRENT, "mamba": RECURRENT,
}  # fmt: skip
"""The words of layer lists, today's and those of older configurations."""


def required(config: Config, kinds: list[str] | None, *keys: str) -> list[str]:
    """The kinds that were listed; an error where there are none, since no rule of the family says which layer is what."""
    if kinds is None:
        config.fail(f"missing the kinds of the layers; tried {', '.join(keys)}")
    return kinds


def by_rule(L: int, chosen: Callable[[int], bool], kinds: tuple[str, str]) -> list[str]:
    """The first kind for the layers that a rule chooses among 0 … L - 1, the second for the rest."""
    return [kinds[0] if chosen(layer) else kinds[1] for layer in range(L)]


def counts(kinds: Sequence[str]) -> dict[str, int]:
    """How many layers there are of each kind that occurs, by symbol, in the order of the symbols."""
    return {symbol: kinds.count(kind) for kind, symbol in SYMBOL_OF.items() if kind in kinds}


def sparse_layers(config: Config, L: int) -> list[str]:
    """Experts in every `decoder_sparse_step`-th layer, but for those in `mlp_only_layers`; dense elsewhere."""
    step = config.size("L", "decoder_sparse_step", default=1)
    dense = layer_numbers_below(config, "mlp_only_layers", L)
    return by_rule(L, lambda layer: (layer + 1) % step == 0 and layer not in dense, (EXPERTS, DENSE))


def layer_split(config: Config, L: int, sparse: int, *dense_width: str) -> dict[str, int]:
    """L_D dense layers, L_M with experts and the width m of the dense ones; nothing where all L layers have experts."""
    if sparse == L:
        return {}
    return {"L_D": L - sparse, "L_M": sparse, "m": config.size("m", *dense_width)}


def dense_first(config: Config, L: int, *, default: int | None = None) -> int:
    """How many layers have experts where the first `first_k_dense_replace` are dense."""
    L_D = config.size("L_D", default=default, least=0)
    if L_D > L:
        config.fail(f"first_k_dense_replace={L_D} dense layers, but there are only {L} layers")
    return L - L_D


def listed_or_dense_first(config: Config, L: int, *, default: int | None = None) -> int:
    """How many layers have experts as `mlp_layer_types` lists them, else where the first layers are dense."""
    kinds = listed(config, L, "mlp_layer_types", words={"dense": DENSE, "sparse": EXPERTS}, what="feed-forward")
    if kinds is None:
        return dense_first(config, L, default=default)
    config.read.add("first_k_dense_replace")  # the list decides
    return kinds.count(EXPERTS)


def every_step(config: Config, L: int) -> int:
    """How many layers have experts: every `decoder_sparse_step`-th, but for those in `mlp_only_layers`."""
    step = config.size("L", "decoder_sparse_step", default=1)
    dense = set(layer_numbers(config, "mlp_only_layers") or ())
    return L // step - sum(0 <= layer < L and (layer + 1) % step == 0 for layer in dense)


def unused(config: Config, *keys: str) -> None:
    """Take note of keys of the family that say nothing about this model, whose layers have no such part."""
    for key in keys:
        config.has(key)
