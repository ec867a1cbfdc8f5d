"""Falcon-40B under its first name, RefinedWeb: groups of heads share keys and values; two norms beside each other."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._refined_web import notes, refined_web_model, refined_web_sizes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `n_head_kv` key/value heads, as many as query heads where it is null."""
    config.refuse("parallel_attn", True, "the RefinedWeb code has attention and network side by side")
    h = config.size("h", "n_head", "num_attention_heads")
    return refined_web_sizes(config, config.size("h_kv", "n_head_kv", null=h))


def model(s: Sizes, config: Config) -> Model:
    """Falcon-40B: attention and a two-matrix network, each behind a LayerNorm of its own, read the same input.

    Source   Almazrouei et al. 2023, arXiv:2311.16867, section 4.
    """
    return refined_web_model("refined_web", s, config, norms=2, parallel=True)


__all__ = ["model", "notes", "sizes"]
