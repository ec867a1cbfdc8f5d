"""InternLM2: LLaMA blocks with a fused q, k and v projection, and one flag for biases in attention."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS, NO_BIAS
from derive.architecture.model import Model
from derive.config import Config
from derive.families._llama_like import llama_model
from derive.families._llama_like import llama_sizes as sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def model(s: Sizes, config: Config) -> Model:
    """InternLM2: grouped-query attention, with biases unless `bias` is false.

    Source   Cai et al. 2024, arXiv:2403.17297, section 2.2; `bias` as in its released code.
    """
    return llama_model("internlm2", s, bias=ALL_BIAS if config.flag("bias", True) else NO_BIAS)


__all__ = ["model", "notes", "sizes"]
