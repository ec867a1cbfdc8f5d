"""Prefixes that stand for powers of 1024: `4 GB` for 4 GiB, `8.25M` for 8.25·2^20."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.arithmetic.computed import Computed
from derive.checker.arithmetic.trials import scale_factor, taken, unit_factor
from derive.checker.arithmetic.writing import written_like
from derive.checker.finding import Ruling
from derive.formula.numbers import decimal
from derive.formula.statement import Claim
from derive.formula.units import BINARY, UNITS, scale


def in_binary_prefixes(computed: Computed, claim: Claim) -> Ruling | None:
    """`320 KB × 131072 = 40 GB`, `1 GB = 1024 MB`, `128K = 131072`: right where every prefix is a power of 1024."""
    if computed.binary is None:
        return None
    value = computed.binary()
    factor, word, _ = _binary_factor(claim)
    plain = taken(claim, unit_factor(claim))
    stated = taken(claim, factor / scale_factor(claim)) if word else plain
    if claim.full:
        fits = value == stated.value
    else:
        fits = any(abs(value - trial.value) * 2 <= trial.resolution for trial in (stated, plain))
    if value == computed.value or not fits:
        return None
    said = "prefixes are powers of 1024"
    return Ruling("exact-under", "binary-prefix", f"right where {said}", assumptions=(said,))


def in_binary_prefix(computed: Computed, claim: Claim, *, exactly: bool = False, loose: bool = False) -> Ruling | None:
    """`8.25M` for 8.25·2^20, and `4 GB` for 4 GiB; `exactly` for byte units only, and to the byte."""
    factor, word, is_bytes = _binary_factor(claim)
    if not word or (exactly and not is_bytes):
        return None
    trial = taken(claim, factor / scale_factor(claim))
    digits = abs(claim.value / claim.resolution)
    off = abs(computed.value - trial.value)
    if off * 2 > trial.resolution or (off != 0 and (digits < 10 or exactly)):
        return None
    right = written_like(computed.value, claim, more=3)
    error = taken(claim, unit_factor(claim)).error(computed.value)
    decimal_word = claim.unit or claim.scale
    if is_bytes and word[0] in "GTP" and not loose:
        message = f"the number is in {word}: it is {right}, or {decimal(computed.value / factor, 6)} {word}"
        return Ruling("wrong", "unit", message, right, relative_error=error)
    said = f"{decimal_word} = {word}"
    return Ruling("exact-under", "binary-prefix", f"right with {said}", right, assumptions=(said,), relative_error=error)


def _binary_factor(claim: Claim) -> tuple[Fraction, str, bool]:
    """The binary unit that stands for a decimal one: its factor, its name, and whether it counts bytes."""
    unit = claim.unit
    if unit in UNITS and UNITS[unit].kind == "bytes" and len(unit) == 2 and unit[0] in "kKMGTP" and unit[1] in "Bb":
        name = unit[0].upper() + "iB"
        return UNITS[name].factor, name, True
    if claim.scale in BINARY and (not unit or UNITS[unit].factor == 1):
        name = BINARY[claim.scale]
        is_bytes = bool(unit) and UNITS[unit].kind == "bytes"
        return Fraction(scale(name) or 1), name + ("B" if is_bytes else ""), is_bytes
    return Fraction(1), "", False
