"""GLM-5: DeepSeek-V3.2's latent attention and indexer; some layers use the selection of the layer before."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._indexed import indexed_model, indexed_notes, indexed_prediction, indexed_sizes
from derive.families._layer_kinds import each, listed
from derive.families._sizes import Sizes
from derive.families._stored import Repeated


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; L_I where not every layer has an indexer of its own."""
    L, L_I = config.size("L"), _indexers(config)
    if not L_I:
        config.fail("no layer has an indexer, so none selects tokens for the others")
    return {**indexed_sizes(config, heads=32, selected=2048), **({} if L_I == L else {"L_I": L_I})}


def model(s: Sizes, config: Config) -> Model:
    """GLM-5: latent attention that reads selected tokens, dense first layers, then routed and shared experts.

    Source   Z.ai 2026, the GLM-5 model card; the indexer: DeepSeek-V3.2 2025, arXiv:2512.02556, section 2.1.
    """
    return indexed_model("glm_moe_dsa", s, config)


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how missing sizes of the indexer are read."""
    defaults = (("index_n_heads", 32), ("index_topk", 2048))
    missing = tuple(f"{key} is not given and is read as {value}." for key, value in defaults if not config.has(key))
    return (*missing, *indexed_notes(config))


def _indexers(config: Config) -> int:
    """Layers with an indexer of their own: listed, spelled (`FSSF…`), or every so many after an offset."""
    L = config.size("L")
    kinds = listed(config, L, "indexer_types", words={"full": "full", "shared": "shared"})
    if kinds:
        return kinds.count("full")
    pattern = config.values.get("index_topk_pattern")
    if pattern is not None:
        if not isinstance(pattern, str) or len(pattern) != L or set(pattern) - {"F", "S"}:
            config.fail(f"index_topk_pattern must be a word of {L} letters F (full) or S (shared), one for each layer")
        return pattern.count("F")
    step = config.number("index_topk_freq", default=1)
    offset = config.number("index_skip_topk_offset", default=2, least=0)
    return L if step == 1 else sum(max(layer - offset + 1, 0) % step == 0 for layer in each(config, L))


def prediction(s: Sizes, config: Config) -> Repeated:
    """The layers that predict further tokens; embedding and head are not stored again for them."""
    return indexed_prediction(s, config, copies=False)
