"""gpt-oss: experts in every layer, biases everywhere, attention sinks, every other layer sliding."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS, grouped_query_attention
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._context import context_layers, span_sizes
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies
from derive.families.llama import notes as _notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert, and layers 0, 2, … look through the window."""
    L = config.size("L")
    if not config.has("head_dim"):
        config.fail("missing d_h (head size); tried head_dim, which gpt-oss does not derive from the hidden size")
    return {
        "L": L, **span_sizes(config, L, lambda layer: layer % 2 == 0), **attention_sizes(config),
        **expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size"),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """gpt-oss: grouped-query attention with a learned sink for each head; the router chooses k of E gated experts.

    Source   OpenAI 2025, arXiv:2508.10925, section 2.
    """
    bias = ALL_BIAS if config.flag("attention_bias", True) else NO_BIAS
    block = (
        grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias, sinks=s.h),
        routed_experts(gated(s.d, s.m_e, bias=True), s.E, s.k),
        router(s.d, s.E, bias=True),
        rms_norm(s.d, copies=2),
    )
    return decoder("gpt_oss", layers(s.L, *block), *ends(s), *context_layers(s))


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out."""
    scales = "quantization_config: the scales stored beside quantised weights are not parameters."
    return (*_notes(config), *((scales,) if config.has("quantization_config") else ()))
