"""Apertus: norms on queries and keys, a two-matrix feed-forward whose activation (xIELU) has two learned numbers."""

from __future__ import annotations

from dataclasses import replace

from derive.architecture.component import Component
from derive.architecture.feed_forward import two_matrix
from derive.architecture.model import Model
from derive.architecture.tensor import Tensor, Use, vector
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head has a matrix of its own unless `tie_word_embeddings` is true."""
    config.refuse("qk_norm", True, "the family has norms on queries and keys")
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Apertus: grouped-query attention with query and key norms; xIELU unless `hidden_act` names another activation.

    Source   Apertus 2025, arXiv:2509.14233, section 2; xIELU: Huang and Schlag 2024, arXiv:2411.13010, section 3.
    """
    facts = Facts(bias=attention_bias(config), qk_norm=per_head(s), feed_forward=_feed_forward(s, config))
    return decoder_of("apertus", s, facts)


def _feed_forward(s: Sizes, config: Config) -> Component:
    """The feed-forward network; xIELU's slopes for positive and negative inputs are learned, two more numbers are stored."""
    plain = two_matrix(s.d, s.m)
    if config.values.get("hidden_act") not in (None, "xielu"):
        return plain
    stored = (Tensor("beta", (1,), Use.BUFFER), Tensor("eps", (1,), Use.BUFFER))
    return replace(plain, tensors=(*plain.tensors, vector("alpha_p", 1), vector("alpha_n", 1), *stored))


__all__ = ["model", "notes", "sizes"]
