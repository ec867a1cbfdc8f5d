"""GPT-J: attention without biases and a two-matrix feed-forward side by side behind one LayerNorm; the head has a bias."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.architecture.norms import layer_norm
from derive.config import Config
from derive.families._decoder import Facts, decoder_of
from derive.families._notes import notes
from derive.families._sizes import Sizes, multi_head_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide unless `n_inner` says otherwise."""
    heads = multi_head_sizes(config)
    return {
        "L": config.size("L", *named("L")), **heads, "m": config.size("m", "n_inner", default=4 * heads["d"]),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """GPT-J: parallel blocks with rotary positions.

    Source   Wang and Komatsuzaki 2021, GPT-J-6B.
    """
    return parallel_decoder("gptj", s)


def parallel_decoder(name: str, s: Sizes) -> Model:
    """Parallel blocks whose feed-forward and head have biases, and whose attention has none."""
    return decoder_of(name, s, Facts(multi_head=True, gated=False, mlp_bias=True, norm=layer_norm, norms=1, head_bias=True))


__all__ = ["model", "notes", "sizes"]
