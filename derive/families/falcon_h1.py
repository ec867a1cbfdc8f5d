"""Falcon-H1: attention and a Mamba-2 layer side by side in every block, and a gated feed-forward network."""

from __future__ import annotations

from derive.architecture.context import softmax_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._decoder import attention_bias
from derive.families._hybrid import attention
from derive.families._mamba2 import duality_mixer, duality_state, hybrid_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, stored_copies
from derive.families.mamba import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the inner width is `mamba_d_ssm`, where that is null `mamba_expand` d."""
    found = {"L": config.size("L"), **attention_sizes(config)}
    d_rec = config.size("d_rec", "mamba_d_ssm", null=0)
    return {
        **found, **hybrid_sizes(config, found["d"], d_rec=d_rec or None), "m": config.size("m"), "V": config.size("V"),
        "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Falcon-H1: pre-norm blocks whose attention and Mamba-2 layer read the same input, then a gated network.

    Source   Zuo et al. 2025, arXiv:2507.22448, section 2.
    """
    mixer = duality_mixer(
        s,
        bias=config.flag("mamba_proj_bias", False),
        out_bias=config.flag("projectors_bias", False),
        conv_bias=config.flag("mamba_conv_bias", True),
        norm=config.flag("mamba_rms_norm", False),
    )
    return decoder(
        "falcon_h1",
        layers(
            s.L,
            attention(s, bias=attention_bias(config)),
            mixer,
            gated(s.d, s.m, bias=config.flag("mlp_bias", False)),
            rms_norm(s.d, copies=2),
        ),
        *ends(s),
        layers(s.L, softmax_attention(s.d_q, s.d_kv), duality_state(s)),
    )


__all__ = ["model", "notes", "sizes"]
