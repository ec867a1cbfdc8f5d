"""Gemma 3, its text model: Gemma 2 with norms on queries and keys, and five of six layers sliding."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import all_but_every
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every sixth layer looks at the whole context, and the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, explicit="Gemma 3", sliding=all_but_every(config, 6))


def model(s: Sizes, config: Config) -> Model:
    """Gemma 3: grouped-query attention with query and key norms, four norms a layer.

    Source   Gemma 3 2025, arXiv:2503.19786, section 2.
    """
    return decoder_of("gemma3_text", s, Facts(bias=attention_bias(config), qk_norm=per_head(s), norms=4))


__all__ = ["model", "notes", "sizes"]
