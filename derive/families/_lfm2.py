"""What the LFM2 models share: attention with norms on queries and keys, or a short convolution."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import recurrent_state
from derive.architecture.convolution import short_convolution
from derive.architecture.model import Layers
from derive.config import Config
from derive.families._hybrid import attention, in_layers
from derive.families._layer_kinds import ATTENTION, CONVOLUTION
from derive.families._sizes import Sizes, stored_copies

WORDS = {"full_attention": ATTENTION, "attention": ATTENTION, "conv": CONVOLUTION, "short_conv": CONVOLUTION}


def tied(config: Config) -> int:
    """The stored copies of the embedding; LFM2 ties unless `tie_embedding`, its older key, or today's key says otherwise."""
    if config.has("tie_embedding"):
        return 1 if config.flag("tie_embedding", True) else 2
    return stored_copies(config, tied=True)


def mixers(s: Sizes, config: Config) -> tuple[Layers, ...]:
    """Attention or a short convolution, each in its layers."""
    convolution = (short_convolution(s.d, s.d_conv, bias=config.flag("conv_bias", False)),)
    return *in_layers(s, L_F=(attention(s, head_norms=True),)), *in_layers(s, L_conv=convolution)


def inputs(s: Sizes) -> Component:
    """What a short convolution keeps of a sequence: its last inputs."""
    return recurrent_state(0, s.d, s.d_conv)
