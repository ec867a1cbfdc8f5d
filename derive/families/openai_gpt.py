"""GPT, the first: GPT-2's blocks with the norms after the halves, and no norm at the end."""

from __future__ import annotations

from derive.architecture.attention import ALL_BIAS
from derive.architecture.embeddings import learned_positions
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._sizes import Sizes, multi_head_sizes, named, stored_copies
from derive.families.gpt2 import notes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is always 4d wide, and the head is tied."""
    heads = multi_head_sizes(config)
    return {
        "L": config.size("L", *named("L")), **heads, "m": 4 * heads["d"], "V": config.size("V"),
        "n_ctx": config.size("n_ctx", *named("n_ctx")), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GPT: post-norm blocks of attention and a two-matrix feed-forward network.

    Source   Radford et al. 2018, section 4.1.
    """
    facts = Facts(
        multi_head=True, bias=ALL_BIAS, gated=False, mlp_bias=True, norm=layer_norm, final_norm=False,
        inputs=(learned_positions(s.n_ctx, s.d),),
    )  # fmt: skip
    return decoder_of("openai-gpt", s, facts)


__all__ = ["model", "notes", "sizes"]
