"""CodeGen: GPT-J blocks whose queries, keys and values are stored as one matrix."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._notes import notes
from derive.families._sizes import Sizes
from derive.families.gptj import parallel_decoder, sizes


def model(s: Sizes, config: Config) -> Model:
    """CodeGen: parallel blocks of attention and a two-matrix feed-forward network.

    Source   Nijkamp et al. 2022, arXiv:2203.13474, section 2.2.
    """
    return parallel_decoder("codegen", s)


__all__ = ["model", "notes", "sizes"]
