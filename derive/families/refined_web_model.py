"""Falcon-7B and Falcon-RW under their first name, RefinedWebModel: multi-query or multi-head attention."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._refined_web import notes, refined_web_sizes
from derive.families._refined_web import refined_web_model as _model
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; one key/value head where `multi_query` is true, else as many as query heads."""
    h = config.size("h", "n_head", "num_attention_heads")
    return refined_web_sizes(config, 1 if config.flag("multi_query", True) else h)


def model(s: Sizes, config: Config) -> Model:
    """Falcon-7B: attention and a two-matrix network side by side behind one LayerNorm; one after the other, behind two.

    Source   Almazrouei et al. 2023, arXiv:2311.16867, section 4.
    """
    parallel = config.flag("parallel_attn", True)
    return _model("refined_web_model", s, config, norms=1 if parallel else 2, parallel=parallel)


__all__ = ["model", "notes", "sizes"]
