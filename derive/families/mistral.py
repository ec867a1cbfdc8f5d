"""Mistral: a LLaMA whose attention may look back over a window; the tensors are the same."""

from __future__ import annotations

from derive.config import Config
from derive.families import llama
from derive.families._context import span_sizes
from derive.families.llama import model


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; all layers look through `sliding_window` where it is a number."""
    found = llama.sizes(config)
    return {"L": found["L"], **span_sizes(config, found["L"], lambda _: config.has("sliding_window")), **found}


def notes(config: Config) -> tuple[str, ...]:
    """What the count leaves out, and how a missing window is read."""
    missing = "sliding_window is not given and is read as none; transformers would read it as 4096."
    return (*llama.notes(config), *(() if "sliding_window" in config.values else (missing,)))


__all__ = ["model", "notes", "sizes"]
