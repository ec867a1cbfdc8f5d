"""MiMo: Qwen2 blocks, with layers that predict further tokens beside the model."""

from __future__ import annotations

from derive.architecture.attention import QKV_BIAS, grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder
from derive.architecture.norms import rms_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.costs import over, whole
from derive.costs.parameters import parameters
from derive.families import llama, qwen2
from derive.families._llama_like import llama_model
from derive.families._sizes import Sizes
from derive.families.qwen2 import sizes


def model(s: Sizes, config: Config) -> Model:
    """MiMo without its extra prediction layers: biases on q, k and v, none on the output.

    Source   Xiaomi 2025, arXiv:2505.07608, section 2.3.
    """
    return llama_model("mimo", s, bias=QKV_BIAS) if "w" not in s else qwen2.model(s, config)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out: the layers that predict further tokens, with their size."""
    extra = config.size("L", "num_nextn_predict_layers", default=0, least=0)
    if not extra:
        return llama.notes(config)
    each = _prediction_layer(Sizes(sizes(config)))
    prediction = (
        f"num_nextn_predict_layers={extra}: multi-token prediction is not part of the model; released checkpoints store "
        f"{extra * each:,} parameters for it."
    )
    return (*llama.notes(config), prediction)


def _prediction_layer(s: Sizes) -> int:
    """Parameters of one multi-token prediction layer: a block, a projection, and norms on both inputs and on the output."""
    projection = Component("projection", "P_proj", (matrix("W_proj", 2 * s.d, s.d),))
    block = (grouped_query_attention(s.d, s.d_q, s.d_kv, bias=QKV_BIAS), gated(s.d, s.m), rms_norm(s.d, copies=5))
    return whole(over(decoder("", *block, projection), parameters))


__all__ = ["model", "notes", "sizes"]
