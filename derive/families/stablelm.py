"""StableLM: LayerNorm, gated feed-forward; some have biases on queries, keys and values, or norms on queries and keys."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, but_output, decoder_of, whole_width
from derive.families._notes import notes
from derive.families._sizes import Sizes, derived_attention_sizes, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the head size is d/h."""
    h_kv = config.size("h_kv", null=config.size("h"))
    return {
        "L": config.size("L"), **derived_attention_sizes(config, h_kv), "m": config.size("m"),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """StableLM: grouped-query attention; with `use_parallel_residual` one norm for both halves of a block.

    Source   Bellagente et al. 2024 (Stable LM 2), arXiv:2402.17834, section 3.
    """
    norm = whole_width(s) if config.flag("qk_layernorm", False) else None
    bias = but_output(config.flag("use_qkv_bias", False))
    norms = 1 if config.flag("use_parallel_residual", False) else 2
    return decoder_of("stablelm", s, Facts(bias=bias, qk_norm=norm, norm=layer_norm, norms=norms))


__all__ = ["model", "notes", "sizes"]
