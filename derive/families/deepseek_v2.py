"""DeepSeek-V2: latent attention, dense first layers, then routed and shared experts."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._decoder import Facts, decoder_of
from derive.families._deepseek import attention_of, context_of, experts_of, latent_sizes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol: the first L_D of the L layers are dense, the other L_M have experts."""
    if config.flag("mlp_bias", False) and config.values.get("n_shared_experts") == 0:
        config.fail("n_shared_experts=0 with mlp_bias=true leaves the bias of an empty network; make n_shared_experts null for none")
    return latent_sizes(config, direct=True)


def model(s: Sizes, config: Config) -> Model:
    """DeepSeek-V2; `mlp_bias` puts biases on dense layers and shared experts, not on the routed ones.

    Source   DeepSeek-AI 2024, arXiv:2405.04434, section 2.
    """
    bias = config.flag("mlp_bias", False)
    experts = experts_of(s, correction=config.values.get("topk_method") == "noaux_tc", bias=bias)
    facts = Facts(attention=(attention_of(s, config),), mlp_bias=bias, experts=experts, context=context_of(s))
    return decoder_of("deepseek_v2", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how keys that are missing or null are read."""
    rank = "q_lora_rank is not given and is read as none; transformers would read it as 1536."
    return (*_notes.notes(config), *(() if "q_lora_rank" in config.values else (rank,)), *_notes.unknown_choice(config))
