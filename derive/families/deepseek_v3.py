"""DeepSeek-V3: latent attention, dense first layers, then routed and shared experts."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._deepseek import attention_of, context_of, experts_of, latent_sizes, model_notes, prediction_of
from derive.families._sizes import Sizes
from derive.families._stored import Repeated


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol: the first L_D of the L layers are dense, the other L_M have experts."""
    return latent_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """DeepSeek-V3 without its extra prediction layers.

    Source   DeepSeek-AI 2024, arXiv:2412.19437, sections 2.1 and 4.2.
    """
    attention, *experts = _block(s, config)
    facts = Facts(attention=(attention,), experts=tuple(experts), context=context_of(s))
    return decoder_of(config.model_type, s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out: the layers that predict further tokens, and quantisation scales."""
    return model_notes(config)


def prediction(s: Sizes, config: Config) -> Repeated:
    """The layers that predict further tokens."""
    return prediction_of(s, config, _block(s, config))


def _block(s: Sizes, config: Config) -> tuple[Component, ...]:
    """Attention and experts of a layer that has experts."""
    correction = config.values.get("topk_method", "noaux_tc") in (None, "noaux_tc")
    return attention_of(s, config), *experts_of(s, correction=correction)
