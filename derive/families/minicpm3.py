"""MiniCPM3: latent attention, a gated feed-forward network, scaled residuals; the head is tied."""

from __future__ import annotations

from derive.architecture.context import latent_softmax_attention
from derive.architecture.feed_forward import gated
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._sizes import Sizes, ends, stored_copies, whole_head
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a value head whose size is not given is d/h wide, a null `q_lora_rank` means plain queries."""
    d, h = config.size("d"), config.size("h")
    queries = config.size("r_q", null=0)
    return {
        "L": config.size("L"), "d": d, "h": h, **({"r_q": queries} if queries else {}), "r_kv": config.size("r_kv"),
        "d_n": config.size("d_n"), "d_r": config.size("d_r"),
        "d_v": config.size("d_v") if config.has("v_head_dim") else whole_head(config, d, h), "m": config.size("m"),
        "V": config.size("V"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """MiniCPM3: pre-norm blocks of multi-head latent attention and a gated feed-forward network.

    Source   MiniCPM3-4B 2024, as built in transformers; latent attention: DeepSeek-V2, arXiv:2405.04434, section 2.1.
    """
    bias = config.flag("attention_bias", False)
    attention = latent_attention(s.d, s.h, s.r_q if "r_q" in s else None, s.r_kv, s.d_n, s.d_r, s.d_v, bias=bias)
    return decoder(
        "minicpm3",
        layers(s.L, attention, gated(s.d, s.m, bias=config.flag("mlp_bias", False)), rms_norm(s.d, copies=2)),
        *ends(s),
        layers(s.L, latent_softmax_attention(s.h, s.r_kv, s.d_n, s.d_r, s.d_v)),
    )


__all__ = ["model", "notes", "sizes"]
