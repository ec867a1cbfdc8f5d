"""openPangu: LLaMA blocks with one flag for biases in attention, on all four projections or on q, k and v alone."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; models of the name with sinks, norms on both sides or heads of two parts are others."""
    for key, plain in (("param_sink_number", 0), ("sandwich_norm", False), ("qk_rope_dim", None), ("v_channels", None)):
        config.refuse(key, plain, "only the dense openPangu blocks are known")
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """OpenPangu Embedded: biases on the four attention projections unless `bias` is false; `qkv_bias` speaks of three of them.

    Source   Huawei 2025 (Pangu Embedded), arXiv:2505.22375, section 2; `bias` as in its released code.
    """
    every = config.flag("attention_bias", False) or config.flag("bias", True)
    qkv = config.flag("qkv_bias", every)
    return decoder_of("pangu", s, Facts(bias=AttentionBias(q=qkv, k=qkv, v=qkv, o=every)))


__all__ = ["model", "notes", "sizes"]
