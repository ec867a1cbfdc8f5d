"""MiniMax-01: lightning attention, softmax attention in every few layers, experts in all."""

from __future__ import annotations

from derive.architecture.context import linear_attention_state
from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.lightning_attention import lightning_attention
from derive.architecture.model import Model, decoder, layers
from derive.architecture.norms import rms_norm
from derive.config import Config
from derive.families._hybrid import attention, contexts, in_layers
from derive.families._layer_kinds import ATTENTION, RECURRENT, by_rule, counts, layer_count, listed, required
from derive.families._mamba import STATES
from derive.families._sizes import Sizes, attention_sizes, ends, expert_sizes, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert.

    A null `layer_types` means attention in layers 0, 2, …; the released configuration's `attn_type_list` has 1 for attention.
    """
    L = layer_count(config)
    kinds = listed(config, L, "layer_types") or _numbered(config, L)
    if kinds is None and "layer_types" in config.values:
        kinds = by_rule(L, lambda layer: layer % 2 == 0, (ATTENTION, RECURRENT))
    kinds = required(config, kinds, "layer_types", "attn_type_list")
    config.refuse("shared_intermediate_size", 0, "the family has no shared experts")
    return {
        "L": L, **counts(kinds), **attention_sizes(config),
        **expert_sizes(config, "num_local_experts", "num_experts", width="intermediate_size"),
        "V": config.size("V"), "c": stored_copies(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """MiniMax-01: pre-norm blocks of lightning or of softmax attention; the router chooses k of E gated experts.

    Source   MiniMax 2025, arXiv:2501.08313, section 2.
    """
    return decoder(
        "minimax",
        *in_layers(s, L_F=(attention(s),)),
        *in_layers(s, L_rec=(lightning_attention(s.d, s.d_q),)),
        layers(s.L, routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E), rms_norm(s.d, copies=2)),
        *ends(s),
        *contexts(s, linear_attention_state(s.h, s.d_h, s.d_h)),
    )


def notes(config: Config) -> tuple[str, ...]:
    """What a reader of the cache should know, and what the count leaves out."""
    return (STATES, "The decays of lightning attention are constants; where they are stored, they are buffers and are not counted.")


def _numbered(config: Config, L: int) -> list[str] | None:
    if not config.has("attn_type_list"):
        return None
    kinds = config.values["attn_type_list"]
    if not isinstance(kinds, list) or len(kinds) != L or any(kind not in (0, 1) for kind in kinds):
        config.fail(f"attn_type_list must be a list of {L} numbers, 0 for lightning and 1 for softmax attention")
    return [ATTENTION if kind else RECURRENT for kind in kinds]
