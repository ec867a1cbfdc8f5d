"""MPT: multi-head attention with ALiBi, two-matrix feed-forward, LayerNorm without shift, no biases, tied head."""

from __future__ import annotations

from typing import Any

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm_without_shift
from derive.config import Config, shown
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import quantised
from derive.families._sizes import Sizes, multi_head_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide, and the head is tied."""
    heads = multi_head_sizes(config, width="d_model", heads="n_heads")
    return {"L": config.size("L", *named("L", "n_layers")), **heads, "m": 4 * heads["d"], **vocabulary_sizes(config, tied=True)}


def model(s: Sizes, config: Config) -> Model:
    """MPT: pre-norm blocks of attention and a two-matrix feed-forward network.

    Source   MosaicML 2023, the MPT-7B announcement.
    """
    return decoder_of("mpt", s, Facts(multi_head=True, gated=False, norm=layer_norm_without_shift))


def notes(config: Config) -> tuple[str, ...]:
    """What has no parameters, and which settings the implementation in transformers does not read."""
    alibi = "ALiBi has no parameters: the slopes follow from the number of heads."
    unread = (f"{key}={shown(value)} is not read by the implementation that is counted, transformers'." for key, value in _unread(config))
    return (alibi, *unread, *quantised(config))


def _unread(config: Config) -> list[tuple[str, Any]]:
    """Settings of MosaicML's own code that would change the tensors there."""
    inner = config.values.get("attn_config")
    settings = {**config.values, **(inner if isinstance(inner, dict) else {})}
    usual = {"no_bias": True, "expansion_ratio": 4, "alibi": True, "qk_ln": False, "attn_type": "multihead_attention"}
    return [(key, settings[key]) for key, expected in usual.items() if settings.get(key, expected) != expected]
