"""Yi under the model type of its first release; later ones call themselves `llama`."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._llama_like import llama_model
from derive.families._llama_like import llama_sizes as sizes
from derive.families._sizes import Sizes
from derive.families.llama import notes


def model(s: Sizes, config: Config) -> Model:
    """Yi: LLaMA blocks with grouped-query attention, no biases.

    Source   01.AI 2024, arXiv:2403.04652, section 2.3.
    """
    return llama_model("yi", s)


__all__ = ["model", "notes", "sizes"]
