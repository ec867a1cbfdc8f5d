"""What the families share whose latent attention reads only the tokens that an indexer selects."""

from __future__ import annotations

from derive.architecture.component import Component
from derive.architecture.context import indexer_scores, latent_softmax_attention
from derive.architecture.indexer import indexer
from derive.architecture.model import Model, layers
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._deepseek import attention_of, experts_of, latent_sizes, model_notes, prediction_of
from derive.families._layer_kinds import ATTENTION, listed, listed_or_dense_first
from derive.families._sizes import Sizes
from derive.families._stored import Repeated


def indexed_sizes(config: Config, *, heads: int | None = None, selected: int | None = None) -> dict[str, int]:
    """The sizes of DeepSeek-V3 and of the indexer; `heads` and `selected` are the family's own where the keys are missing.

    `mlp_layer_types`, else `first_k_dense_replace`, says which layers are dense.
    """
    L = config.size("L")
    config.flag("mlp_bias", False)  # the implementation has no such biases whatever this says
    listed(config, L, "layer_types", words={"indexed_attention": ATTENTION})
    if not config.has("q_lora_rank"):
        config.fail("missing r_q (rank of the query compression); tried q_lora_rank, from which the indexer takes its queries")
    return {
        **latent_sizes(config, listed_or_dense_first(config, L)), "h_I": config.size("h_I", default=heads),
        "d_I": config.size("d_I"), "k_I": config.size("k_I", default=selected),
    }  # fmt: skip


def indexed_model(name: str, s: Sizes, config: Config) -> Model:
    """Latent attention in every layer, an indexer in every layer or in L_I of them, dense layers and layers with experts."""
    attention, *experts = _block(s, config)
    own = _indexer(s)
    facts = Facts(
        attention=(attention,) if "L_I" in s else (attention, own),
        experts=tuple(experts),
        further=(layers(s.L_I, own),) if "L_I" in s else (),
        context=(
            layers(s.L, latent_softmax_attention(s.h, s.r_kv, s.d_n, s.d_r, s.d_v, selected=s.k_I)),
            layers(s.L_I if "L_I" in s else s.L, indexer_scores(s.h_I, s.d_I)),
        ),
    )
    return decoder_of(name, s, facts)


def indexed_notes(config: Config) -> tuple[str, ...]:
    """What the count and the cache leave out."""
    kept = f"Besides the key/value cache, each indexer keeps a key of {config.size('d_I')} elements of every token."
    return (kept, *model_notes(config))


def indexed_prediction(s: Sizes, config: Config, *, copies: bool) -> Repeated:
    """The layers that predict further tokens, each with an indexer of its own."""
    return prediction_of(s, config, (*_block(s, config), _indexer(s)), copies=copies)


def _block(s: Sizes, config: Config) -> tuple[Component, ...]:
    return attention_of(s, config), *experts_of(s, correction=True)


def _indexer(s: Sizes) -> Component:
    return indexer(s.d, s.r_q, s.h_I, s.d_I)
