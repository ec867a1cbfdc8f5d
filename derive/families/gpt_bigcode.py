"""GPT-BigCode (SantaCoder, StarCoder): GPT-2 blocks with one key/value head for all query heads."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.embeddings import learned_positions
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._sizes import Sizes, derived_attention_sizes, named, stored_copies
from derive.families.gpt2 import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide unless `n_inner` says otherwise, and the head is tied."""
    config.refuse("add_cross_attention", False, "cross-attention layers are not part of a decoder-only model")
    d, h = config.size("d", *named("d")), config.size("h", *named("h"))
    return {
        "L": config.size("L", *named("L")), **derived_attention_sizes(config, 1 if _multi_query(config) else h, d, h),
        "m": config.size("m", "n_inner", default=4 * d), "V": config.size("V"), "n_ctx": config.size("n_ctx", *named("n_ctx")),
        "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GPT-BigCode: multi-query attention unless `multi_query` is false, two-matrix feed-forward, biases everywhere.

    Source   Ben Allal et al. 2023 (SantaCoder), arXiv:2301.03988, section 4; Li et al. 2023 (StarCoder), arXiv:2305.06161, section 5.
    """
    facts = Facts(
        multi_head=not _multi_query(config), bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm,
        inputs=(learned_positions(s.n_ctx, s.d),),
    )  # fmt: skip
    return decoder_of("gpt_bigcode", s, facts)


def _multi_query(config: Config) -> bool:
    return config.flag("multi_query", True)


__all__ = ["model", "notes", "sizes"]
