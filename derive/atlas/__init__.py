"""The atlas: closed forms traced from the real implementations of transformers, as data, one file a model type.

`derive.tracing` makes them; nothing here needs PyTorch.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from derive.atlas.form import Form
from derive.atlas.text import form_of_text

FORMS = os.path.join(os.path.dirname(__file__), "forms")
"""The folder of the forms."""

_TYPE = re.compile(r"[A-Za-z0-9_.-]+")


def traced_types() -> tuple[str, ...]:
    """The model types that have a traced form."""
    return tuple(sorted(name.removesuffix(".txt") for name in os.listdir(FORMS) if name.endswith(".txt")))


@lru_cache(maxsize=8)
def form_of(model_type: str) -> Form | None:
    """The traced form of a model type; None where there is none."""
    if not _TYPE.fullmatch(model_type) or not os.path.exists(path := os.path.join(FORMS, f"{model_type}.txt")):
        return None
    with open(path, encoding="utf-8") as file:
        return form_of_text(file.read())
