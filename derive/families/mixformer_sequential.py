"""Phi-1, 1.5 and 2 as they were first released (remote code): the blocks of `phi` under GPT-2's names."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import phi
from derive.families._notes import notes
from derive.families._sizes import Sizes, multi_head_sizes, named, vocabulary_sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; the feed-forward is 4d wide unless `n_inner` says otherwise."""
    heads = multi_head_sizes(config)
    config.refuse("n_head_kv", heads["h"], "every query head has its own key/value head")
    return {
        "L": config.size("L", *named("L")), **heads, "m": config.size("m", "n_inner", default=4 * heads["d"]),
        **vocabulary_sizes(config, tied=False),
    }  # fmt: skip


def model(s: Sizes, config: Config) -> Model:
    """Phi: parallel blocks of attention and a two-matrix feed-forward network, biases everywhere, in the head as well.

    Source   Li et al. 2023 (phi-1.5), arXiv:2309.05463, section 2.1.
    """
    return phi.model(s.multi_head(), config)


__all__ = ["model", "notes", "sizes"]
