"""What is asked of a model's usage, and the figures that answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.costs.memory import ONE_DEVICE, Sharing
from derive.formula.numbers import rounded


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: a context of n tokens, B sequences, number formats, a training scheme and its sharing, an adapter."""

    context: int | None = None
    batch: int = 1
    dtype: str | None = None
    cache_dtype: str | None = None
    train: str | None = None
    sharing: Sharing = ONE_DEVICE
    lora: str | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its unit and the convention that it follows."""

    name: str
    value: int | str
    unit: str
    counts: str

    @property
    def in_units(self) -> dict[str, str]:
        """Bytes also in GB (10^9 bytes) and GiB (2^30 bytes), to three decimals; nothing for other units."""
        if self.unit != "bytes" or isinstance(self.value, str):
            return {}
        return {"GB": rounded(Fraction(self.value, 10**9), 3), "GiB": rounded(Fraction(self.value, 2**30), 3)}


@dataclass(frozen=True, slots=True)
class Section:
    """The figures of one question."""

    name: str
    figures: tuple[Figure, ...]

    def as_dict(self) -> dict[str, Any]:
        """The values by name, and what each counts."""
        return {
            **{figure.name: figure.value for figure in self.figures},
            "units": {figure.name: figure.in_units or figure.unit for figure in self.figures},
            "conventions": {figure.name: figure.counts for figure in self.figures},
        }


@dataclass(frozen=True, slots=True)
class Usage:
    """The sections that a request asked for: `flops`, `kv_cache`, `memory`, `lora`, `experts`."""

    sections: tuple[Section, ...]

    def as_dict(self) -> dict[str, Any]:
        """What `derive count --json` adds to the count."""
        return {section.name: section.as_dict() for section in self.sections}

    def __getitem__(self, name: str) -> dict[str, Any]:
        """The values of one section by name."""
        for section in self.sections:
            if section.name == name:
                return {figure.name: figure.value for figure in section.figures}
        raise KeyError(name)
