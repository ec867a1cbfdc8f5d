"""Falcon: one or a few key/value heads, a two-matrix feed-forward beside the attention, one LayerNorm or two."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, everywhere
from derive.families._notes import quantised
from derive.families._sizes import Sizes, derived_attention_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide unless `ffn_hidden_size` says otherwise.

    Where `tie_word_embeddings` is missing, the head is tied, as the implementation has it; in the new decoder architecture it is
    counted as Falcon-180B's checkpoint has it, a matrix of its own.
    """
    d, h = config.size("d", *named("d", "n_embed")), config.size("h", *named("h"))
    return {
        "L": config.size("L", *named("L")), **derived_attention_sizes(config, _key_value_heads(config, h), d, h),
        "m": config.size("m", "ffn_hidden_size", default=4 * d),
        **vocabulary_sizes(config, tied=not config.flag("new_decoder_architecture", False)),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Falcon: multi-query attention (7B), grouped-query in the new decoder architecture (40B, 180B), multi-head with ALiBi (RW).

    Source   Almazrouei et al. 2023, arXiv:2311.16867, section 4.
    """
    bias = config.flag("bias", False)
    facts = Facts(bias=everywhere(bias), gated=False, mlp_bias=bias, norm=layer_norm, norms=_norms(config))
    return decoder_of("falcon", s, facts)


def notes(config: Config) -> tuple[str, ...]:
    """What has no parameters, and how a missing flag is read."""
    found = ["Rotary positions and ALiBi have no parameters."]
    if "tie_word_embeddings" not in config.values:
        size = config.size("V") * config.size("d", *named("d", "n_embed"))
        found.append(
            "tie_word_embeddings is not given: the head is counted as a matrix of its own, as Falcon-180B's checkpoint has it; "
            f"transformers would tie it, which is {size:,} parameters less."
            if config.flag("new_decoder_architecture", False)
            else "tie_word_embeddings is not given: the head is tied, as transformers has it; "
            f"checkpoints that store it all the same hold {size:,} elements more."
        )
    return (*found, *quantised(config))


def _key_value_heads(config: Config, h: int) -> int:
    grouped, single = config.size("h_kv", "num_kv_heads", default=h), config.flag("multi_query", True)
    if config.flag("new_decoder_architecture", False):
        return grouped
    return 1 if single else h


def _norms(config: Config) -> int:
    """Norms of a block: one for both halves where they are parallel, unless the architecture is new or asks for two."""
    new = config.flag("new_decoder_architecture", False)
    asked = config.number("num_ln_in_parallel_attn", default=2 if new else 1)
    return 2 if asked == 2 or not config.flag("parallel_attn", True) else 1
