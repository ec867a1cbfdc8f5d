"""BioGPT: OPT's blocks, with two more rows of positions than tokens."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.embeddings import learned_positions
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._sizes import Sizes, multi_head_sizes, stored_copies
from derive.families.opt import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head is tied."""
    return {
        "L": config.size("L"), **multi_head_sizes(config), "m": config.size("m"), "V": config.size("V"),
        "n_ctx": config.size("n_ctx", "max_position_embeddings"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """BioGPT: pre-norm blocks of attention and a two-matrix feed-forward network, biases everywhere but in the head.

    Source   Luo et al. 2022, arXiv:2210.10341, section 3.
    """
    positions = (learned_positions(s.n_ctx + 2, s.d),)
    facts = Facts(multi_head=True, bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm, inputs=positions)
    return decoder_of("biogpt", s, facts)


__all__ = ["model", "notes", "sizes"]
