"""Mamba-2: the state-space duality in every layer, and nothing else but norms."""

from __future__ import annotations

from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._mamba2 import duality_mixer, duality_state
from derive.families._sizes import Sizes, ends, stored_copies
from derive.families._state_space import expanded, ssm_heads
from derive.families.mamba import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the inner width is `expand` d, and its heads must fill it."""
    L, d = config.size("L"), config.size("d")
    d_rec = expanded(config, d, "expand")
    return {
        "L": L, "d": d, "d_rec": d_rec, "d_state": config.size("d_state", "state_size"),
        "d_conv": config.size("d_conv", "conv_kernel"), "h_ssm": ssm_heads(config, d_rec, "num_heads", "head_dim"),
        "g_ssm": config.size("g_ssm", "n_groups"), "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Mamba-2: pre-norm blocks of a state space with one decay a head.

    Source   Dao and Gu 2024, arXiv:2405.21060, section 7.
    """
    mixer = duality_mixer(s, bias=config.flag("use_bias", False), conv_bias=config.flag("use_conv_bias", True))
    return decoder("mamba2", layers(s.L, mixer, rms_norm(s.d)), *ends(s), layers(s.L, duality_state(s)))


__all__ = ["model", "notes", "sizes"]
