"""Two sides that are numbers: equal, rounded, truncated, in another unit, or wrong.

A written number claims its digits and no more. The claim is tried in the order of what people mean: as it stands; without its
unit, where the other side has none; with the rounding of the numbers that it was computed from; with a binary prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from derive.checker.finding import Verdict
from derive.checker.values import Interval
from derive.formula.numbers import decimal, significant
from derive.formula.statement import Claim
from derive.formula.units import BINARY, UNITS, scale
from derive.records import dataclass

NEAR = Fraction(1, 200)
"""A stated number that is so near, relative to the right one, was computed from rounded numbers."""


_MOST_ROUNDED = Fraction(2, 3)
"""Rounding to one digit changes a number by a half or less, 1.5 to 2 being a third; 0.52 is not 1."""
_MOST_LAST_DIGITS = 50
"""How far off in its last digit a number that is written with many digits may be."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict on two numbers: `right` is the right value written the way the stated one was."""

    verdict: Verdict
    code: str
    message: str
    right: str | None = None
    assumptions: tuple[str, ...] = ()
    relative_error: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Computed:
    """The side that is worked out: its value with units as factors, whether it has units, and its bounds where known."""

    value: Fraction
    has_unit: bool = False
    interval: Callable[[], Interval | None] = lambda: None
    bare: Callable[[], Fraction] | None = None
    binary: Callable[[], Fraction] | None = None


def judge_numbers(computed: Computed, claim: Claim, *, loose: bool) -> Judgement:
    """The verdict on `computed = claim`; `loose` where the relation is ≈."""
    stated = claim.value * _unit_factor(claim)
    if computed.value == stated:
        return Judgement("exact", "equal-numbers", "equal")
    if abs(computed.value - stated) * 10**15 <= abs(stated) and not claim.full:
        return Judgement("rounded", "rounded", "equal to fifteen digits")
    if not loose and (wrong_unit := _binary(computed, claim, exactly=True)) is not None:
        return wrong_unit
    for trial in _trials(computed, claim):
        found = _fits(computed.value, trial, claim, loose=loose)
        if found is not None:
            return found
    return (
        _from_rounded(computed, claim, stated)
        or _binary(computed, claim, loose=loose)
        or _all_binary(computed, claim)
        or _truncated(computed, claim)
        or _near(computed, claim, loose=loose)
        or _without_units(computed, claim)
        or _wrong(computed, claim)
    )


def _without_units(computed: Computed, claim: Claim) -> Judgement | None:
    """`4 bytes / (1024^3 GB) = 7.92 GB`: right in its bare numbers, with units that do not fit together."""
    if not computed.has_unit or computed.bare is None:
        return None
    bare, factor = computed.bare(), _unit_factor(claim)
    found = _fits(bare, _Trial(claim.value, claim.resolution), claim)
    return found or (_fits(bare, _Trial(claim.value * factor, claim.resolution * factor), claim) if factor != 1 else None)


def _all_binary(computed: Computed, claim: Claim) -> Judgement | None:
    """`320 KB × 131072 = 40 GB`, `1 GB = 1024 MB`, `128K = 131072`: right where every prefix is a power of 1024."""
    if computed.binary is None:
        return None
    value = computed.binary()
    factor, word, _ = _binary_factor(claim)
    ratio = factor / (_unit_factor(claim) * (scale(claim.scale) or 1 if claim.scale else 1)) if word else Fraction(1)
    stated = claim.value * _unit_factor(claim) * ratio
    resolution = claim.resolution * _unit_factor(claim) * ratio
    plain, half = claim.value * _unit_factor(claim), claim.resolution * _unit_factor(claim)
    fits = abs(value - stated) * 2 <= (0 if claim.full else resolution) or (abs(value - plain) * 2 <= half and not claim.full)
    if value == computed.value or not fits:
        return None
    said = "prefixes are powers of 1024"
    return Judgement("exact-under", "binary-prefix", f"right where {said}", None, (said,))


def _unit_factor(claim: Claim) -> Fraction:
    factor = Fraction(1)
    for at, word in enumerate(claim.unit.split("/") if claim.unit not in UNITS else [claim.unit]):
        unit = UNITS.get(word)
        if unit is not None:
            factor = factor * unit.factor if at == 0 else factor / unit.factor
    return factor


@dataclass(frozen=True, slots=True)
class _Trial:
    """A way to take the claim: its value and one unit of its last digit."""

    value: Fraction
    resolution: Fraction
    implied: str = ""


def _trials(computed: Computed, claim: Claim) -> Iterator[_Trial]:
    factor = _unit_factor(claim)
    yield _Trial(claim.value * factor, claim.resolution * factor)
    if not computed.has_unit and (factor != 1 or claim.scale):
        yield _Trial(claim.value, claim.resolution, claim.unit or claim.scale)
        by_scale = scale(claim.scale) if claim.scale else None
        if by_scale:
            yield _Trial(claim.value / by_scale, claim.resolution / by_scale, claim.scale)
            for smaller in (10**3, 10**6):  # "(67 + 135) × 32 = 6.46 billion", counted in millions
                if by_scale > smaller and abs(computed.value) < 10**5 and claim.scale in ("B", "billion", "M", "million", "T", "trillion"):
                    yield _Trial(claim.value / smaller, claim.resolution / smaller, f"a scale of {smaller:,}")
    if claim.scale == "B" and computed.has_unit and factor == 1:
        yield _Trial(claim.value / 10**9, claim.resolution / 10**9)
    if computed.has_unit and factor == 1 and not claim.scale and not claim.unit and abs(claim.value) < 10**6:
        for power in (3, 6, 9, 12):
            yield _Trial(claim.value * 10**power, claim.resolution * 10**power, f"10^{power}")


def _fits(value: Fraction, trial: _Trial, claim: Claim, *, loose: bool = False) -> Judgement | None:
    """Exact, or rounded to the digits that are written."""
    remark = f", its unit ({trial.implied}) implied on the other side" if trial.implied else ""
    if value == trial.value:
        return Judgement("exact", "equal-numbers", f"equal{remark}")
    off = abs(value - trial.value)
    if off * 2 <= trial.resolution and trial.value != 0 and off <= abs(value) * _MOST_ROUNDED:
        return _rounded(value, trial, claim, remark)
    zeros = _trailing_zeros(claim, least=1 if loose else 2)
    if zeros and off * 2 <= trial.resolution * 10**zeros and off <= abs(value) * Fraction(1, 20):
        return _rounded(value, trial, claim, remark)
    return None


def _rounded(value: Fraction, trial: _Trial, claim: Claim, remark: str) -> Judgement:
    error = (trial.value - value) / value if value else None
    right = written_like(
        value / (trial.value / (claim.value * _unit_factor(claim))) if trial.implied and claim.value else value, claim, more=3
    )
    return Judgement("rounded", "rounded", f"rounded from {right}{remark}", right, relative_error=error)


def _trailing_zeros(claim: Claim, least: int = 2) -> int:
    """Zeros at the end of a number in full, which may be there for want of digits: 23,000."""
    if not claim.full or claim.value == 0 or claim.value.denominator != 1:
        return 0
    digits = str(abs(claim.value.numerator))
    zeros = len(digits) - len(digits.rstrip("0"))
    return zeros if zeros >= least else 0


def _from_rounded(computed: Computed, claim: Claim, stated: Fraction) -> Judgement | None:
    """Right within the rounding of the numbers that it was computed from."""
    if claim.full and not _trailing_zeros(claim):
        return None
    interval = computed.interval()
    if interval is None or interval.low == interval.high or interval.high - interval.low > abs(computed.value) / 5:
        return None
    half = claim.resolution * _unit_factor(claim) / 2
    if interval.low <= stated + half and stated - half <= interval.high:
        right = written_like(computed.value, claim, more=2)
        error = (stated - computed.value) / computed.value
        message = f"{right} as written; right within the rounding of the numbers it comes from"
        return Judgement("approximation", "near", message, right, relative_error=error)
    return None


def _binary(computed: Computed, claim: Claim, *, exactly: bool = False, loose: bool = False) -> Judgement | None:
    """`8.25M` for 8.25·2^20, and `4 GB` for 4 GiB; `exactly` for byte units only, and to the byte."""
    factor, word, is_bytes = _binary_factor(claim)
    if not word or (exactly and not is_bytes):
        return None
    ratio = factor / (_unit_factor(claim) * (scale(claim.scale) or 1 if claim.scale else 1))
    value, resolution = claim.value * _unit_factor(claim) * ratio, claim.resolution * _unit_factor(claim) * ratio
    digits = abs(claim.value / claim.resolution)
    off = abs(computed.value - value)
    if off * 2 > resolution or (off != 0 and (digits < 10 or exactly)):
        return None
    right = written_like(computed.value, claim, more=3)
    error = (claim.value * _unit_factor(claim) - computed.value) / computed.value
    decimal_word = claim.unit or claim.scale
    if is_bytes and word[0] in "GTP" and not loose:
        message = f"the number is in {word}: it is {right}, or {decimal(computed.value / factor, 6)} {word}"
        return Judgement("wrong", "unit", message, right, relative_error=error)
    return Judgement("exact-under", "binary-prefix", f"right with {decimal_word} = {word}", right, (f"{decimal_word} = {word}",), error)


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


def _truncated(computed: Computed, claim: Claim) -> Judgement | None:
    for trial in _trials(computed, claim):
        over = abs(computed.value) - abs(trial.value)
        same_sign = computed.value * trial.value > 0
        whole = claim.full and computed.value.denominator == 1
        if same_sign and 0 < over < trial.resolution and not whole:
            right = written_like(computed.value, claim, more=0)
            error = (trial.value - computed.value) / computed.value
            return Judgement("approximation", "truncated", f"the last digit was cut off, not rounded: {right}", right, relative_error=error)
    return None


def _near(computed: Computed, claim: Claim, *, loose: bool) -> Judgement | None:
    """Near enough to come from rounded numbers, or from prefixes of 1000 and 1024 mixed; or an order of magnitude in powers of two."""
    if computed.value == 0:
        return None
    for trial in _trials(computed, claim):
        error = (trial.value - computed.value) / computed.value
        right = written_like(computed.value, claim, more=0)
        scaled = not claim.full or (loose and _trailing_zeros(claim) > 0)
        counted = bool(claim.scale) and claim.scale != "%" and (not claim.unit or UNITS[claim.unit].kind == "count")
        fine = _digits(claim) >= 4 and abs(trial.value - computed.value) > _MOST_LAST_DIGITS * trial.resolution
        if abs(error) <= NEAR and not (fine and not loose) and (loose or (scaled and counted) or trial.resolution > 10**5):
            return Judgement("approximation", "near", f"near; the digits would be {right}", right, relative_error=error)
        if loose and scaled and abs(trial.value - computed.value) <= trial.resolution and abs(error) <= Fraction(1, 10):
            return Judgement("approximation", "near", f"off by one in the last digit: {right}", right, relative_error=error)
        mixed = _mixed(computed.value, trial, claim)
        if mixed:
            message = f"prefixes of 1000 and 1024 are mixed ({mixed}): {right}"
            return Judgement("approximation", "near", message, right, relative_error=error)
        if loose and _round_power_of_two(trial.value, computed.value):
            message = f"the nearest power of two; the value is {right}"
            return Judgement("approximation", "near", message, written_like(computed.value, claim, more=1), relative_error=error)
    return None


def _mixed(value: Fraction, trial: _Trial, claim: Claim) -> str:
    """Whether the number fits when one or two of its factors 1000 are 1024."""
    if claim.full or not (claim.scale or claim.unit or trial.resolution > 1):
        return ""
    for power, name in ((1, "1.024"), (2, "1.024²")):
        shifted = trial.value * Fraction(1024, 1000) ** power
        half = trial.resolution * Fraction(1024, 1000) ** power / 2
        digits = abs(claim.value / claim.resolution)
        if abs(shifted - value) <= half and digits >= 100 and _thousands(value) > power:
            return f"a factor {name}"
    return ""


def _thousands(value: Fraction) -> int:
    """How many times a number can be divided by 1000."""
    count = 0
    while abs(value) >= 1000:
        value, count = value / 1000, count + 1
    return count


def _round_power_of_two(stated: Fraction, value: Fraction) -> bool:
    """`32k` for a value whose nearest power of two is 32768."""
    thousands = stated / 1000
    if thousands.denominator != 1 or thousands <= 1 or (thousands.numerator & (thousands.numerator - 1)):
        return False
    power = thousands * 1024
    return power * power < 2 * value * value and value * value < 2 * power * power and Fraction(5, 6) < value / power < Fraction(6, 5)


def _wrong(computed: Computed, claim: Claim) -> Judgement:
    stated = claim.value * _unit_factor(claim)
    if computed.value == 0:
        return Judgement("wrong", "number", "the other side is 0", "0")
    trial = min(_trials(computed, claim), key=lambda trial: _distance(trial.value, computed.value))
    right = written_like(computed.value * stated / trial.value if trial.value else computed.value, claim, more=1)
    error = (trial.value - computed.value) / computed.value
    decimal_unit = claim.unit.replace("i", "") if claim.unit[1:] == "iB" else ""
    if decimal_unit and abs(computed.value - claim.value * UNITS[decimal_unit].factor) * 2 <= claim.resolution * UNITS[decimal_unit].factor:
        return Judgement("wrong", "unit", f"the number is in {decimal_unit}: it is {right}", right, relative_error=error)
    return Judgement("wrong", "number", f"it is {right}{_factor_remark(trial.value / computed.value)}", right, relative_error=error)


def _distance(stated: Fraction, value: Fraction) -> Fraction:
    """How many times the one is the other, at least 1."""
    if stated * value <= 0:
        return Fraction(10**30)
    return max(stated / value, value / stated)


_FACTORS = {Fraction(2): "twice", Fraction(1, 2): "half", Fraction(4): "4 times", Fraction(1, 4): "a quarter of", Fraction(3): "3 times"}
_FACTORS |= {Fraction(1, 3): "a third of", Fraction(8): "8 times", Fraction(1, 8): "an eighth of"}
_FACTORS |= {Fraction(10) ** power: f"10^{power} times" for power in (*range(-12, 0), *range(1, 13))}
_FACTORS |= {Fraction(1024) ** power: f"1024^{power} times" for power in (-3, -2, -1, 1, 2, 3)}


def _factor_remark(ratio: Fraction) -> str:
    """`; half of it is stated`, where the ratio is a plain factor."""
    for factor, words in _FACTORS.items():
        if abs(ratio / factor - 1) < Fraction(1, 100):
            return f"; {words} that is stated"
    return ""


def written_like(value: Fraction, claim: Claim, *, more: int) -> str:
    """The right value the way the claim is written: in its unit and scale, with `more` digits than it has."""
    factor = _unit_factor(claim)
    unit = f" {claim.unit}" if claim.unit else ""
    by_scale = scale(claim.scale) or Fraction(1) if claim.scale else Fraction(1)
    if claim.scale:
        unit = claim.scale + unit
    shown = value / factor / by_scale
    if claim.full and not claim.unit:
        return (f"{shown.numerator:,}" if shown.denominator == 1 else decimal(shown, 8)) + unit
    if _power_of_ten(claim, by_scale):
        power = len(str(abs(int(shown)))) - 1
        return f"{decimal(shown / Fraction(10) ** power, _digits(claim) + more)}·10^{power}{unit}"
    digits = max(_digits(claim), 3 if more else 1) + more
    if shown.denominator == 1 and abs(shown) < 10**15 and len(str(abs(shown.numerator))) <= digits + 6:
        return f"{shown.numerator:,}{unit}"
    if abs(shown) >= 10**12:
        return f"{decimal(shown / Fraction(10) ** (len(str(int(abs(shown)))) - 1), digits)}·10^{len(str(int(abs(shown)))) - 1}{unit}"
    return f"{significant(shown, max(digits, 1))}{unit}"


def _digits(claim: Claim) -> int:
    """How many significant digits a claim has."""
    return max(len(str(abs(int(claim.value / claim.resolution)))), 1)


def _power_of_ten(claim: Claim, by_scale: Fraction) -> int:
    """The exponent of a number written as 6.44·10^9; 0 for others."""
    shown = claim.value / by_scale
    if claim.scale or claim.full or claim.resolution < 10**4 or shown == 0:
        return 0
    return len(str(abs(int(shown)))) - 1
