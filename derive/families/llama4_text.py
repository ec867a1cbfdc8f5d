"""Llama 4, its text model: routed experts and a shared one in every layer or every other, most layers attend within chunks."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router, shared_experts
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._context import Sliding, SpanKeys, never, span_sizes
from derive.families._decoder import Facts, attention_bias, decoder_of
from derive.families._layer_kinds import layer_numbers, layer_split
from derive.families._sizes import Sizes, attention_sizes, expert_sizes, vocabulary_sizes

_KEYS = SpanKeys(sliding="chunked_attention", window="attention_chunk_size")


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert, `intermediate_size_mlp` that of a dense layer."""
    L = config.size("L")
    config.flag("use_qk_norm", True)  # its norms on queries and keys have no parameters
    return {
        "L": L, **layer_split(config, L, _sparse_layers(config, L), "intermediate_size_mlp"),
        **span_sizes(config, L, _chunked(config), _KEYS), **attention_sizes(config, explicit="Llama 4"),
        **expert_sizes(config, "num_local_experts", width="intermediate_size"), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Llama 4: the router chooses k of E gated experts; every token also passes through the shared one.

    Source   Meta 2025, the Llama 4 announcement and model card.
    """
    expert = gated(s.d, s.m_e)
    experts = (routed_experts(expert, s.E, s.k), shared_experts(expert, 1), router(s.d, s.E))
    return decoder_of("llama4_text", s, Facts(bias=attention_bias(config), experts=experts))


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how chunks are read."""
    chunks = "Layers that attend within chunks are taken as layers with a window of attention_chunk_size tokens."
    return (*_notes.notes(config), *((chunks,) if "w" in sizes(config) else ()))


def _sparse_layers(config: Config, L: int) -> int:
    """`moe_layers` lists the layers with experts, else they are every `interleave_moe_layer_step`-th."""
    chosen = layer_numbers(config, "moe_layers")
    step = config.number("interleave_moe_layer_step", default=1)
    return L // step if chosen is None else len({layer for layer in chosen if 0 <= layer < L})


def _chunked(config: Config) -> Sliding:
    """The layers with rotary positions attend within chunks: all but every fourth, unless `no_rope_layers` says otherwise."""
    if not config.has("attention_chunk_size"):
        return never
    rotary, interval = layer_numbers(config, "no_rope_layers"), config.number("no_rope_layer_interval", default=4)
    if rotary:
        return lambda layer: layer >= len(rotary) or bool(rotary[layer])
    return lambda layer: (layer + 1) % interval != 0
