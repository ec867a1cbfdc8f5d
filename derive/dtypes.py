"""Number formats and the bytes that an element takes in each, block scales included."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Dtype:
    """A number format. `bytes` is exact: blocks that share a scale count it [bytes per element]."""

    name: str
    bytes: Fraction
    counts: str

    def size(self, elements: int) -> int:
        """Bytes of so many elements, the last byte begun [bytes]."""
        return -int(-elements * self.bytes // 1)


def _blocks(bits: int, block: int, extra: int) -> Fraction:
    """Bytes of one element where `block` of them share `extra` bytes of scale."""
    return Fraction(bits, 8) + Fraction(extra, block)


DTYPES: dict[str, Dtype] = {
    each.name: each
    for each in (
        Dtype("fp32", Fraction(4), "4 bytes"),
        Dtype("bf16", Fraction(2), "2 bytes"),
        Dtype("fp16", Fraction(2), "2 bytes"),
        Dtype("fp8", Fraction(1), "1 byte; scales are not counted"),
        Dtype("int8", Fraction(1), "1 byte; scales are not counted"),
        Dtype("int4", _blocks(4, 128, 2), "4 bits, and a 2-byte scale for every 128 elements"),
        Dtype("mxfp4", _blocks(4, 32, 1), "4 bits, and a 1-byte scale for every 32 elements: 17 bytes per 32"),
        Dtype("q8_0", _blocks(8, 32, 2), "8 bits, and a 2-byte scale for every 32 elements: 34 bytes per 32"),
        Dtype("q4_0", _blocks(4, 32, 2), "4 bits, and a 2-byte scale for every 32 elements: 18 bytes per 32"),
    )
}
_OTHER_NAMES = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16", "half": "fp16", "f32": "fp32", "f16": "fp16"}


def dtype(name: str) -> Dtype:
    """The format of that name; `ConfigError` where it is unknown."""
    bare = name.lower().replace("-", "_")
    known = DTYPES.get(_OTHER_NAMES.get(bare, bare))
    if known is None:
        raise ConfigError(f"unknown dtype '{name[:40]}'; known: {', '.join(DTYPES)}")
    return known
