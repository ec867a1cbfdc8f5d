"""Which layers have experts and which are dense."""

from __future__ import annotations

from derive.config import Config, shown

MOST_LAYERS = 100_000
"""Where layers are looked at one by one, there are at most so many."""


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
    kinds = listed(config, "mlp_layer_types", L, ("dense", "sparse"), "feed-forward")
    if kinds is None:
        return dense_first(config, L, default=default)
    config.read.add("first_k_dense_replace")  # the list decides
    return kinds.count("sparse")


def every_step(config: Config, L: int) -> int:
    """How many layers have experts: every `decoder_sparse_step`-th, but for those in `mlp_only_layers`."""
    step = config.size("L", "decoder_sparse_step", default=1)
    dense = set(numbers(config, "mlp_only_layers") or ())
    return L // step - sum(0 <= layer < L and (layer + 1) % step == 0 for layer in dense)


def numbers(config: Config, key: str) -> list[int] | None:
    """A list of layer numbers; None where the key is missing or null."""
    if not config.has(key):
        return None
    values = config.values[key]
    if not isinstance(values, list) or not all(isinstance(layer, int) and not isinstance(layer, bool) for layer in values):
        config.fail(f"{key} must be a list of layer numbers")
    return values


def listed(config: Config, key: str, L: int, kinds: tuple[str, ...], what: str) -> list[str] | None:
    """A list that names one of the `kinds` (`what` they are) for each layer; None where the key is missing or null."""
    if not config.has(key):
        return None
    values = config.values[key]
    if not isinstance(values, list) or len(values) != L:
        config.fail(f"{key} must be a list of {L} kinds of {what}, one for each layer")
    unknown = [value for value in values if value not in kinds]
    if unknown:
        config.fail(f"{key} names an unknown kind of {what}: {shown(unknown[0])}")
    return values


def each(config: Config, L: int) -> range:
    """The layers one by one, where there are not more than any model has."""
    if L > MOST_LAYERS:
        config.fail(f"{L} layers are more than any model has")
    return range(L)
