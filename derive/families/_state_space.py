"""The sizes of state-space layers, of Mamba and of Mamba-2, however a configuration calls them."""

from __future__ import annotations

from derive.config import Config, shown
from derive.families._factors import factor


def expanded(config: Config, d: int, key: str) -> int:
    """The inner width d_rec: the hidden size times a factor, which may be a fraction if the product is whole."""
    if config.has(key) and isinstance(config.values[key], float):
        width = factor(config, key) * d
        if not width.is_integer():
            config.fail(f"{key}={shown(config.values[key])} of the hidden size {d} is no whole width")
        return int(width)
    return d * config.number(key)


def step_rank(config: Config, d: int, key: str) -> int:
    """The rank of the step size; `"auto"`, which is also what its absence means, is d/16 rounded up."""
    config.has(key)
    if config.values.get(key) in (None, "auto"):
        return -(-d // 16)
    return config.size("r_dt", key)


def ssm_heads(config: Config, d_rec: int, heads: str, head_size: str) -> int:
    """The heads of a Mamba-2 layer, whose heads together must be as wide as the layer.

    A head size that is missing or `"auto"` is d_rec over the heads, which must divide.
    """
    h_ssm = config.size("h_ssm", heads)
    config.has(head_size)
    if d_rec % h_ssm:
        config.fail(f"{heads}={h_ssm} heads do not divide the inner width {d_rec}")
    value = config.values.get(head_size)
    if value not in (None, "auto") and config.number(head_size) * h_ssm != d_rec:
        config.fail(f"{heads}={h_ssm} heads of {head_size}={shown(value)} are not as wide as the layer, {d_rec}")
    return h_ssm
