"""GPT-Neo: GPT-2 blocks without biases on queries, keys and values; every other layer looks through a window."""

from __future__ import annotations

from derive.architecture.attention import AttentionBias
from derive.architecture.embeddings import learned_positions
from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._context import Sliding, SpanKeys, span_sizes
from derive.families._decoder import Facts, decoder_of
from derive.families._layer_kinds import MOST_LAYERS
from derive.families._sizes import Sizes, multi_head_sizes, named, stored_copies
from derive.families.gpt2 import notes

_KEYS = SpanKeys(kinds="attention_layers", full="global", sliding="local", window="window_size")


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; `attention_layers`, else `attention_types`, says which layers look through the window."""
    L = config.size("L", *named("L", "num_layers"))
    heads = multi_head_sizes(config, heads="num_heads")
    return {
        "L": L, **span_sizes(config, L, _types(config, L), _KEYS), **heads, "m": config.size("m", default=4 * heads["d"]),
        "V": config.size("V"), "n_ctx": config.size("n_ctx", "max_position_embeddings"), "c": stored_copies(config, tied=True),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GPT-Neo: pre-norm blocks of attention and a two-matrix feed-forward network.

    Source   Black et al. 2021, doi:10.5281/zenodo.5297715.
    """
    positions = (learned_positions(s.n_ctx, s.d),)
    facts = Facts(multi_head=True, bias=AttentionBias(o=True), gated=False, mlp_bias=True, norm=layer_norm, inputs=positions)
    return decoder_of("gpt_neo", s, facts)


def _types(config: Config, L: int) -> Sliding:
    """`attention_types` written out: pairs of some kinds and how often they are repeated."""
    if config.has("attention_layers"):
        return lambda layer: False  # the list decides
    given = config.values.get("attention_types") or [[["global", "local"], 12]]
    kinds: list[str] = []
    for pair in given if isinstance(given, list) else [None]:
        match pair:
            case [[*names], int(times)] if not set(map(str, names)) - {"global", "local"} and 0 <= times * len(names) <= MOST_LAYERS:
                kinds += names * times
            case _:
                config.fail('attention_types must be pairs such as [["global", "local"], 12]')
    if len(kinds) != L:
        config.fail(f"attention_types gives {len(kinds)} layers, but there are {L}")
    return lambda layer: kinds[layer] == "local"


__all__ = ["model", "notes", "sizes"]
