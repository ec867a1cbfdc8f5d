"""Mistral: LLaMA blocks without biases, whose attention may look back over a window."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families import _notes
from derive.families._context import where_set
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number."""
    return dense_sizes(config, sliding=where_set(config))


def model(s: Sizes, config: Config) -> Model:
    """Mistral: grouped-query attention through a window, gated feed-forward.

    Source   Jiang et al. 2023, arXiv:2310.06825, section 2.
    """
    return decoder_of("mistral", s, Facts())


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how a missing window is read."""
    missing = "sliding_window is not given and is read as none; transformers would read it as 4096."
    return (*_notes.notes(config), *(() if "sliding_window" in config.values else (missing,)))
