"""Layers of the state-space duality, Mamba-2's, in the models that have them."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import recurrent_state
from derive.architecture.state_space import state_space_duality
from derive.config import Config
from derive.families._sizes import Sizes
from derive.families._state_space import expanded, ssm_heads


def hybrid_sizes(config: Config, d: int, *, d_rec: int | None = None) -> dict[str, int]:
    """The sizes of Mamba-2 layers under the keys `mamba_…` that hybrid models share."""
    width = expanded(config, d, "mamba_expand") if d_rec is None else d_rec
    return {
        "d_rec": width, "d_state": config.size("d_state", "mamba_d_state"), "d_conv": config.size("d_conv", "mamba_d_conv"),
        "h_ssm": ssm_heads(config, width, "mamba_n_heads", "mamba_d_head"), "g_ssm": config.size("g_ssm", "mamba_n_groups"),
    }  # fmt: skip


def duality_mixer(s: Sizes, *, bias: bool, conv_bias: bool, out_bias: bool | None = None, norm: bool = True) -> Component:
    """The Mamba-2 layer of these sizes."""
    return state_space_duality(
        s.d, s.d_rec, s.d_state, s.d_conv, s.h_ssm, s.g_ssm, bias=bias, out_bias=out_bias, conv_bias=conv_bias, norm=norm
    )  # fmt: skip


def hybrid_mixer(s: Sizes, config: Config) -> Component:
    """The Mamba-2 layer of these sizes, with the biases that the keys `mamba_…_bias` say."""
    return duality_mixer(s, bias=config.flag("mamba_proj_bias", False), conv_bias=config.flag("mamba_conv_bias", True))


def duality_state(s: Sizes) -> Component:
    """What a Mamba-2 layer keeps of a sequence: a state a channel, and the last inputs of its convolution."""
    return recurrent_state(s.d_rec * s.d_state, s.d_rec + 2 * s.g_ssm * s.d_state, s.d_conv)
