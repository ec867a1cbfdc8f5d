"""dots.llm1: norms on queries and keys, dense first layers, then routed and shared experts."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._context import Sliding, never, span_sizes
from derive.families._decoder import Facts, attention_bias, decoder_of, per_head, shared_of_one_width
from derive.families._layer_kinds import dense_first, layer_split
from derive.families._sizes import Sizes, attention_sizes, shared_and_routed_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the first `first_k_dense_replace` layers are dense."""
    L = config.size("L")
    return {
        "L": L, **layer_split(config, L, dense_first(config, L)), **span_sizes(config, L, _window(config)),
        **attention_sizes(config), **shared_and_routed_sizes(config), **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """dots.llm1: multi-head attention; the router chooses k of E gated experts beside E_s shared ones.

    Source   rednote-hilab 2025, arXiv:2506.05767, section 2.
    """
    expert = gated(s.d, s.m_e)
    experts = (routed_experts(expert, s.E, s.k), *shared_of_one_width(s), router(s.d, s.E, correction=True))
    facts = Facts(bias=attention_bias(config), qk_norm=per_head(s), experts=experts)
    return decoder_of("dots1", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how an unknown number of chosen experts is read."""
    return (*_notes.notes(config), *_notes.unknown_choice(config))


def _window(config: Config) -> Sliding:
    """The layers from `max_window_layers` on slide, where that is given."""
    if not (config.has("sliding_window") and config.has("max_window_layers")):
        return never
    first = config.number("max_window_layers", least=0)
    return lambda layer: layer >= first
