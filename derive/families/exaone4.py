"""EXAONE 4.0: norms after each half of a block and on queries and keys, three of four layers sliding."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._context import Sliding, all_but_every, never
from derive.families._decoder import Facts, decoder_of, dense_sizes, per_head
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; every fourth layer looks at the whole context, all of them where there is no window."""
    return dense_sizes(config, sliding=pattern(config))


def model(s: Sizes, config: Config) -> Model:
    """EXAONE 4.0: grouped-query attention whose queries and keys are normalised head by head.

    Source   LG AI Research 2025, arXiv:2507.11407, section 2.
    """
    return decoder_of("exaone4", s, Facts(qk_norm=per_head(s)))


def pattern(config: Config) -> Sliding:
    """A number says that every so-many-th layer is full; a word (`LLLG`) is repeated, and the last layer is full."""
    word = config.values.get("sliding_window_pattern")
    if "sliding_window" in config.values and not config.has("sliding_window"):
        return never
    if not isinstance(word, str):
        return all_but_every(config, 4)
    if not word or set(word) - {"L", "G"}:
        config.fail("sliding_window_pattern must be a number or a word of the letters L (local) and G (global)")
    last = config.size("L") - 1
    return lambda layer: layer != last and word[layer % len(word)] == "L"


__all__ = ["model", "notes", "sizes"]
