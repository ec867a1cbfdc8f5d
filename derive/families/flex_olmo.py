"""FlexOlmo: OLMo 2's attention and norms, experts in every layer."""

from __future__ import annotations

from derive.architecture.experts import routed_experts, router
from derive.architecture.feed_forward import gated
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, whole_width
from derive.families._notes import notes
from derive.families._sizes import Sizes
from derive.families.olmoe import sizes as _sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `intermediate_size` is the width of one expert."""
    return _sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """FlexOlmo: norms after each half of a block; the router chooses k of E gated experts.

    Source   Shi et al. 2025, arXiv:2507.07024, section 3.
    """
    experts = (routed_experts(gated(s.d, s.m_e), s.E, s.k), router(s.d, s.E))
    return decoder_of("flex_olmo", s, Facts(bias=attention_bias(config), qk_norm=whole_width(s), experts=experts))


__all__ = ["model", "notes", "sizes"]
