"""Which format a configuration without a model_type has, by its keys."""

from __future__ import annotations

from derive.config import Config
from derive.formats.translation import Translation


def recognised(given: Config) -> Translation | None:
    """The translation of a foreign configuration; None where no format is known by these keys.

    Raises `ConfigError` where a key that the count depends on is missing or not known.
    """
    from derive.formats import litgpt, megatron, meta

    keys = given.values.keys()
    if keys >= set(meta.MARKS):
        return meta.from_meta(given)
    if keys >= set(litgpt.MARKS) and keys & set(litgpt.ANY_OF):
        return litgpt.from_litgpt(given)
    if megatron.MARKS[0] in keys and keys & set(megatron.MARKS[1:]):
        return megatron.from_megatron(given)
    return None
