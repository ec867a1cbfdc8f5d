"""Which kind of block stands in which layer, where the layers of a model are not all of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from derive.config import Config, shown

ATTENTION, SLIDING, RECURRENT, CONVOLUTION = "attention", "sliding", "recurrent", "convolution"
EXPERTS, DENSE = "experts", "dense"
SYMBOL_OF = {
    ATTENTION: "L_F", SLIDING: "L_S", RECURRENT: "L_rec", CONVOLUTION: "L_conv", EXPERTS: "L_M", DENSE: "L_D",
}  # fmt: skip

MOST_LAYERS = 100_000
"""Where layers are told apart one by one, there are at most so many."""

FULL_OR_LINEAR: Mapping[str, str] = {
    "full_attention": ATTENTION, "attention": ATTENTION, "linear_attention": RECURRENT, "mamba": RECURRENT,
}  # fmt: skip
"""The words of layer lists, today's and those of older configurations."""

DENSE_OR_SPARSE: Mapping[str, str] = {"dense": DENSE, "sparse": EXPERTS}
"""The words of `mlp_layer_types`."""


def each(config: Config, L: int) -> range:
    """The layers one by one, where there are not more than any model has."""
    if L > MOST_LAYERS:
        config.fail(f"num_hidden_layers={L} layers are more than any model has")
    return range(L)


def layer_count(config: Config) -> int:
    """L, where each layer is looked at."""
    return len(each(config, config.size("L")))


def listed(config: Config, L: int | None, *keys: str, words: Mapping[str, str] = FULL_OR_LINEAR) -> list[str] | None:
    """The kinds that the first of `keys` lists, one for each of the L layers; None where there is no list."""
    for key in keys:
        if config.has(key):
            return _kinds(config, key, L, words)
    return None


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


def dense_first(config: Config, L: int, *keys: str, default: int | None = None) -> int:
    """How many layers have experts where the first ones are dense, as many as `first_k_dense_replace` (or one of `keys`) says."""
    L_D = config.size("L_D", *keys, default=default, least=0)
    if L_D > L:
        config.fail(f"{(*keys, 'first_k_dense_replace')[0]}={L_D} dense layers, but there are only {L} layers")
    return L - L_D


def listed_or_dense_first(config: Config, L: int, *, default: int | None = None) -> int:
    """How many layers have experts as `mlp_layer_types` lists them, else where the first layers are dense."""
    kinds = listed(config, L, "mlp_layer_types", words=DENSE_OR_SPARSE)
    if kinds is None:
        return dense_first(config, L, default=default)
    unused(config, "first_k_dense_replace")  # the list decides
    return kinds.count(EXPERTS)


def sparse_layers(config: Config, L: int) -> list[str]:
    """Experts in every `decoder_sparse_step`-th layer, but for those in `mlp_only_layers`; dense elsewhere."""
    step = config.number("decoder_sparse_step", default=1)
    dense = set(layer_numbers(config, "mlp_only_layers") or ())
    return by_rule(len(each(config, L)), lambda layer: (layer + 1) % step == 0 and layer not in dense, (EXPERTS, DENSE))


def layer_split(config: Config, L: int, sparse: int, *dense_width: str) -> dict[str, int]:
    """L_D dense layers, L_M with experts and the width m of the dense ones; nothing where all L layers have experts."""
    if sparse == L:
        return {}
    return {"L_D": L - sparse, "L_M": sparse, "m": config.size("m", *dense_width)}


def layer_numbers(config: Config, key: str, below: int | None = None) -> list[int] | None:
    """A list of layer numbers, where `below` says so each from 0 on and below it; None where the key is missing or null."""
    if not config.has(key):
        return None
    values = config.values[key]
    if not isinstance(values, list) or not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        config.fail(f"{key} must be a list of layer numbers")
    beyond = [value for value in values if below is not None and not 0 <= value < below]
    if beyond:
        config.fail(f"{key} names layer {shown(beyond[0])}, but there are {below} layers, counted from 0")
    return values


def unused(config: Config, *keys: str) -> None:
    """Take note of keys of the family that say nothing about this model, whose layers have no such part."""
    for key in keys:
        config.has(key)


def _kinds(config: Config, key: str, L: int | None, words: Mapping[str, str]) -> list[str]:
    values = config.values[key]
    if not isinstance(values, list) or not values or (L is not None and len(values) != L):
        config.fail(f"{key} must be a list of {L or 'the'} kinds of layer, one for each layer")
    unknown = [value for value in values if not isinstance(value, str) or value not in words]
    if unknown:
        config.fail(f"{key} names an unknown kind of layer, {shown(unknown[0])}; known: {', '.join(words)}")
    return [words[value] for value in values]
