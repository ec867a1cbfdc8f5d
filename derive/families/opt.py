"""OPT: GPT-2 blocks with two more rows of positions than tokens, and in one size an embedding narrower than the model."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.embeddings import learned_positions
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.architecture.tensor import matrix
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, everywhere
from derive.families._notes import quantised
from derive.families._sizes import Sizes, multi_head_sizes, stored_copies


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; d_emb where the embedding is projected to the hidden size, and the head is tied."""
    heads = multi_head_sizes(config)
    d_emb = config.size("d_emb", default=heads["d"])
    return {
        "L": config.size("L"), **heads, "m": config.size("m", "ffn_dim"), "V": config.size("V"),
        "n_ctx": config.size("n_ctx", "max_position_embeddings"), **({} if d_emb == heads["d"] else {"d_emb": d_emb}),
        "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """OPT: multi-head attention and a two-matrix feed-forward network; the 350M model has its norms after the halves.

    Source   Zhang et al. 2022, arXiv:2205.01068, section 2.1.
    """
    bias = config.flag("enable_bias", True)
    final = config.flag("do_layer_norm_before", True) and not config.flag("_remove_final_layer_norm", False)
    facts = Facts(
        multi_head=True, bias=everywhere(bias), gated=False, mlp_bias=bias, final_norm=final,
        norm=layer_norm if config.flag("layer_norm_elementwise_affine", True) else None, inputs=_inputs(s),
    )  # fmt: skip
    return decoder_of("opt", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """Why there are more rows of positions than tokens."""
    return ("The table of positions has two rows more than the context: positions are counted from 2.", *quantised(config))


def _inputs(s: Sizes) -> tuple[Component, ...]:
    positions = learned_positions(s.n_ctx + 2, s.d)
    if "d_emb" not in s:
        return (positions,)
    return (
        positions,
        Component("input projection", "P_in", (matrix("W_in", s.d_emb, s.d),)),
        Component("output projection", "P_out", (matrix("W_out", s.d, s.d_emb),)),
    )
