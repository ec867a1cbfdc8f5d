"""What is asked of a model's usage, and the figures that answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derive.costs.memory import ONE_DEVICE, Sharing
from derive.errors import ConfigError
from derive.formula.numbers import rounded
from derive.records import dataclass

LARGEST = 10**12
"""Tokens of a context, sequences of a batch."""


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

    def __post_init__(self) -> None:
        for name, least in (("context", 1), ("batch", 1)):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise ConfigError(f"the {name} must be a whole number, not {value!r}")
            if value is not None and not least <= value <= LARGEST:
                unit = "token" if name == "context" else "sequence"
                raise ConfigError(f"the {name} must be at least 1 {unit} and at most {LARGEST:,}")
        for name in ("dtype", "cache_dtype", "train", "lora"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ConfigError(f"{name} must be text, not {value!r}")
        if self.sharing != ONE_DEVICE and self.train is None:
            raise ConfigError("ZeRO, data, tensor and pipeline parallelism divide training state: name a scheme with --train")


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its unit and the convention that it follows."""

    name: str
    value: int | float | str
    unit: str
    counts: str

    @property
    def in_units(self) -> dict[str, str]:
        """Bytes also in GB (10^9 bytes) and GiB (2^30 bytes), to three decimals; nothing for other units."""
        if self.unit != "bytes" or not isinstance(self.value, int):
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
            "units": {figure.name: figure.unit for figure in self.figures},
            "rounded": {figure.name: figure.in_units for figure in self.figures if figure.in_units},
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
