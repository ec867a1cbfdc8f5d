"""MiMo: Qwen2 blocks, with layers that predict further tokens beside the model."""

from __future__ import annotations

from derive.architecture.attention import QKV_BIAS, grouped_query_attention
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._sizes import Sizes
from derive.families._stored import Repeated, prediction_layers
from derive.families.llama import notes
from derive.families.qwen2 import sizes


def model(s: Sizes, config: Config) -> Model:
    """MiMo without its extra prediction layers: biases on q, k and v, none on the output.

    Source   Xiaomi 2025, arXiv:2505.07608, section 2.3.
    """
    return decoder_of("mimo", s, Facts(bias=QKV_BIAS))


def prediction(s: Sizes, config: Config) -> Repeated:
    """The layers that predict further tokens; embedding and head are not stored again for them."""
    extra = config.number("num_nextn_predict_layers", default=0, least=0)
    return prediction_layers(s, extra, grouped_query_attention(s.d, s.d_q, s.d_kv, bias=QKV_BIAS), gated(s.d, s.m))


__all__ = ["model", "notes", "prediction", "sizes"]
