"""Built-in functions that keep the sources of numbers, put in their place in the modules of the implementations."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from derive.tracing.traced import STAND_IN_MODULES, STAND_INS

_IMPLEMENTATION = re.compile(r"transformers\.models\.\w+\.(modeling|configuration)_\w+$")


@contextmanager
def standing_in() -> Iterator[None]:
    """Built-in functions that keep sources, in the modules of the implementations."""
    modules = [vars(module) for module in _implementations(len(sys.modules))]
    changed = [(names, name) for names in modules for name in STAND_INS if name not in names]
    replaced = [(names, name, *pair) for names in modules for name, pair in STAND_IN_MODULES.items() if names.get(name) is pair[0]]
    for names, name in changed:
        names[name] = STAND_INS[name]
    for names, name, _, stand_in in replaced:
        names[name] = stand_in
    try:
        yield
    finally:
        for names, name in changed:
            del names[name]
        for names, name, module, _ in replaced:
            names[name] = module


@lru_cache(maxsize=1)
def _implementations(known: int) -> tuple[Any, ...]:
    """The modules of implementations that are loaded, of so many modules altogether."""
    return tuple(module for name, module in sys.modules.items() if _IMPLEMENTATION.match(name))
