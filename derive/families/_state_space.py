"""The sizes of state-space layers, of Mamba and of Mamba-2, however a configuration calls them."""

from __future__ import annotations

from derive.config import Config, shown

LARGEST_FACTOR = 1000


def expanded(config: Config, d: int, key: str) -> int:
    """The inner width d_inner: the hidden size times a factor, which may be a fraction if the product is whole."""
    config.has(key)
    factor = config.values.get(key)
    if isinstance(factor, float) and 0 < factor < LARGEST_FACTOR and (factor * d).is_integer():
        return int(factor * d)
    return d * config.size("d_inner", key)


def step_rank(config: Config, d: int, key: str) -> int:
    """The rank of the step size; `"auto"`, which is also what its absence means, is d/16 rounded up."""
    config.has(key)
    if config.values.get(key) in (None, "auto"):
        return -(-d // 16)
    return config.size("r_dt", key)


def ssm_heads(config: Config, d_inner: int, heads: str, head_size: str) -> int:
    """The heads of a Mamba-2 layer, whose heads together must be as wide as the layer.

    A head size that is missing or `"auto"` is d_inner over the heads, which must divide.
    """
    h_ssm = config.size("h_ssm", heads)
    config.has(head_size)
    if d_inner % h_ssm:
        config.fail(f"{heads}={h_ssm} heads do not divide the inner width {d_inner}")
    value = config.values.get(head_size)
    if value not in (None, "auto") and config.size("d_inner", head_size) * h_ssm != d_inner:
        config.fail(f"{heads}={h_ssm} heads of {head_size}={shown(value)} are not as wide as the layer, {d_inner}")
    return h_ssm
