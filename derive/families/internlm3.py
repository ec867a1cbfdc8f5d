"""InternLM3: LLaMA blocks under other keys for the biases."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes, everywhere
from derive.families._sizes import Sizes
from derive.families.llama import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; a null `head_dim` is d/h, a missing one is the implementation's own and not guessed."""
    if "head_dim" not in config.values:
        config.fail("missing d_h (head size); tried head_dim, which may be null, but not left out")
    return dense_sizes(config)


def model(s: Sizes, config: Config) -> Model:
    """InternLM3: grouped-query attention and a gated feed-forward network.

    `qkv_bias` is an older key of `attention_bias`, `bias` of `mlp_bias`; where they differ, the implementations do.

    Source   InternLM3-8B 2025, as built in transformers; blocks as in LLaMA, arXiv:2302.13971, section 2.2.
    """
    attention = config.flag("attention_bias", False) or config.flag("qkv_bias", False)
    network = config.flag("mlp_bias", False) or config.flag("bias", False)
    if attention != network:
        config.fail("biases in attention (qkv_bias) but not in the network (bias), or the reverse: implementations differ in the output's")
    return decoder_of("internlm3", s, Facts(bias=everywhere(attention), mlp_bias=network))


__all__ = ["model", "notes", "sizes"]
