"""What a configured model costs to run and to train: FLOPs, cache, memory, adapters, experts of a batch."""

from __future__ import annotations

from typing import Any

from derive.dtypes import dtype
from derive.errors import ConfigError
from derive.figures.adapters import adapter_figures
from derive.figures.cache import cache_figures
from derive.figures.experts import experts_figures
from derive.figures.figure import Figure, Request, Section, Usage
from derive.figures.flops import flops_figures
from derive.figures.memory import memory_figures
from derive.reading import ReadModel, Source, read_model

__all__ = ["Figure", "Request", "Section", "Usage", "model_usage", "usage"]


def usage(source: Source, **asked: Any) -> Usage:
    """What a model costs; the keywords are those of `Request`.

    Raises `ConfigError` for a context beyond the position table, sizes that cannot be, an unknown format or scheme.
    """
    return model_usage(read_model(source), Request(**asked))


def model_usage(read: ReadModel, asked: Request) -> Usage:
    """What a model that has been read costs."""
    _check(read, asked)
    sections = []
    if asked.context is not None:
        sections.append(Section("flops", tuple(flops_figures(read, asked.context))))
        sections.append(Section("kv_cache", tuple(cache_figures(read, asked.context, asked))))
    sections.append(Section("memory", tuple(memory_figures(read, asked))))
    if asked.lora is not None:
        sections.append(Section("lora", tuple(adapter_figures(read, asked.lora))))
    if "E" in read.sizes and asked.context is not None:
        sections.append(Section("experts", tuple(experts_figures(read, asked.batch))))
    return Usage(tuple(sections))


def _check(read: ReadModel, asked: Request) -> None:
    for name in (asked.dtype, asked.cache_dtype):
        if name is not None:
            dtype(name)
    if asked.context is not None and not any(component.context for _, component in read.numbers.components):
        raise ConfigError(f"{read.name}: what the attention of this family keeps and computes is not known")
    layers, heads = read.sizes.get("L", asked.sharing.pipeline), read.sizes.get("h", 0)
    if asked.sharing.pipeline > layers:
        raise ConfigError(f"{asked.sharing.pipeline} pipeline stages, but {read.name} has {layers} layers")
    if heads % asked.sharing.tensor:
        raise ConfigError(f"{heads} query heads do not divide among {asked.sharing.tensor} tensor-parallel devices")
    table = read.sizes.get("n_ctx")
    if asked.context is not None and table is not None and asked.context > table:
        raise ConfigError(f"{read.name}: a context of {asked.context} tokens is beyond the {table} learned positions")
