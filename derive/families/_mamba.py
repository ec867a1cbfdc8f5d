"""Mamba and its like: layers of a selective state space alone, without attention or feed-forward networks."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import state_space_state
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.architecture.state_space import selective_state_space
from derive.config import Config
from derive.families._sizes import Sizes, ends, stored_copies
from derive.families._state_space import expanded, step_rank

STATES = "A layer keeps one state of a sequence, however long; it is counted in the cache, at the cache's format."
UNTIED = "tie_word_embeddings is true, but the implementation gives the head a matrix of its own."


def selective_sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; an `intermediate_size` of the configuration's own is the inner width, else `expand` d."""
    L, d = config.size("L"), config.size("d")
    d_rec = config.size("d_rec", "intermediate_size") if config.has("intermediate_size") else expanded(config, d, "expand")
    return {
        "L": L, "d": d, "d_rec": d_rec, "d_state": config.size("d_state", "state_size"),
        "d_conv": config.size("d_conv", "conv_kernel"), "r_dt": step_rank(config, d, "time_step_rank"),
        "V": config.size("V"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def selective_mixer(s: Sizes, bias: bool, conv_bias: bool, *, norms: bool = False) -> Component:
    """The state-space layer of these sizes."""
    return selective_state_space(s.d, s.d_rec, s.d_state, s.d_conv, s.r_dt, bias=bias, conv_bias=conv_bias, norms=norms)


def selective_model(name: str, s: Sizes, config: Config) -> Model:
    """L layers of one norm and a state space."""
    mixer = selective_mixer(s, config.flag("use_bias", False), config.flag("use_conv_bias", True))
    state = state_space_state(s.d_rec, s.d_state, s.d_conv)
    return decoder(name, layers(s.L, mixer, rms_norm(s.d)), *ends(s), layers(s.L, state))
