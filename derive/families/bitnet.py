"""BitNet b1.58: LLaMA blocks with a norm more before each output and down-projection, whose weights are ternary."""

from __future__ import annotations

from dataclasses import replace

from derive.architecture.attention import grouped_query_attention
from derive.architecture.component import Component
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.architecture.tensor import vector
from derive.config import Config
from derive.families import _notes
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._sizes import Sizes
from derive.formula.tree import Dim


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """BitNet b1.58: grouped-query attention and a gated feed-forward network, each with a norm inside.

    Counts   every ternary weight as one parameter.
    Source   Ma et al. 2025, arXiv:2504.12285, section 2.
    """
    bias = attention_bias(config)
    attention = _with_norm(grouped_query_attention(s.d, s.d_q, s.d_kv, bias=bias), s.d)
    return decoder_of("bitnet", s, Facts(attention=(attention,), feed_forward=_with_norm(gated(s.d, s.m), s.m)))


def notes(config: Config) -> tuple[str, ...]:
    """What is stored otherwise than it is counted."""
    return (*_notes.notes(config), "Ternary weights count as parameters; packed, four of them are stored in one byte.")


def _with_norm(component: Component, width: Dim) -> Component:
    """The component with an RMSNorm before its last matrix."""
    return replace(component, tensors=(*component.tensors, vector("γ_sub", width)))
