"""Scales and units as people write them after a number: `124M`, `1750亿`, `2.5 GiB`, `312 TFLOPs`, `31%`."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from derive.records import dataclass

Kind = Literal["count", "bytes", "time", "flops", "rate", "other"]

_K = 1024


@dataclass(frozen=True, slots=True)
class Unit:
    """What a unit multiplies by, and what it measures; `rate` is anything per second, `other` no matter of ours."""

    factor: Fraction
    kind: Kind


SCALES: dict[str, Fraction] = {
    **dict.fromkeys(("k", "K", "thousand", "千"), Fraction(10**3)),
    **dict.fromkeys(("M", "mn", "million", "millions", "Million", "百万"), Fraction(10**6)),
    **dict.fromkeys(("B", "G", "bn", "Bn", "billion", "billions", "Billion", "十亿"), Fraction(10**9)),
    **dict.fromkeys(("T", "trillion", "trillions", "Trillion", "万亿"), Fraction(10**12)),
    "quadrillion": Fraction(10**15),
    **{letter + "i": Fraction(_K**power) for power, letter in enumerate("KMGT", start=1)},
    "万": Fraction(10**4),
    "千万": Fraction(10**7),
    "亿": Fraction(10**8),
    "百亿": Fraction(10**10),
    "千亿": Fraction(10**11),
    **dict.fromkeys(("%", "percent"), Fraction(1, 100)),
    "‰": Fraction(1, 1000),
}
"""Words and letters that scale a number and measure nothing."""

SINGLE = frozenset("kKMBGT")
"""Scales of one letter: they may also be a symbol of the text."""

BINARY: dict[str, str] = {"k": "Ki", "K": "Ki", "M": "Mi", "B": "Gi", "G": "Gi", "T": "Ti"}
"""The binary scale that people mean where they write a decimal one."""


def scale(word: str) -> Fraction | None:
    """What a word multiplies by; None where it is no scale."""
    return SCALES.get(word)


def _byte_units() -> dict[str, Unit]:
    found = {word: Unit(Fraction(1), "bytes") for word in ("byte", "bytes", "Byte", "Bytes", "字节")}
    for power, letter in enumerate("KMGTP", start=1):
        found[f"{letter}B"] = found[f"{letter}b"] = Unit(Fraction(1000**power), "bytes")  # people write Gb for gigabytes
        found[f"{letter.lower()}iB"] = found[f"{letter}iB"] = Unit(Fraction(_K**power), "bytes")
    found["kB"] = found["KB"]
    found |= {word: Unit(Fraction(1000**3), "bytes") for word in ("gigabytes", "gigabyte", "Gigabytes")}
    found |= {word: Unit(Fraction(1000**2), "bytes") for word in ("megabytes", "megabyte", "Megabytes")}
    found |= {word: Unit(Fraction(1000), "bytes") for word in ("kilobytes", "kilobyte")}
    found |= {word: Unit(Fraction(1, 8), "bytes") for word in ("bit", "bits", "比特")}
    return found


def _time_units() -> dict[str, Unit]:
    seconds = {
        ("s", "sec", "secs", "second", "seconds", "秒"): Fraction(1),
        ("ms", "milliseconds", "millisecond", "毫秒"): Fraction(1, 10**3),
        ("us", "µs", "μs", "microseconds", "microsecond", "微秒"): Fraction(1, 10**6),
        ("ns", "nanoseconds"): Fraction(1, 10**9),
        ("min", "minutes", "minute", "分钟"): Fraction(60),
        ("h", "hours", "hour", "hrs", "小时"): Fraction(3600),
        ("days", "day", "天", "日"): Fraction(86400),
        ("weeks", "week", "周"): Fraction(86400 * 7),
        ("years", "year", "年"): Fraction(86400 * 365),
    }
    return {word: Unit(factor, "time") for words, factor in seconds.items() for word in words}


def _flop_units() -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    scales = {"": 0, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21}
    for letter, power in scales.items():
        found[letter + "MACs"] = found[letter + "MAC"] = Unit(Fraction(2 * 10**power), "flops")
        for word in ("FLOPs", "FLOP", "FLOPS", "Flops", "flops", "FLOPs/s", "FLOP/s", "FLOPS/s", "flop/s", "flops/s", "OPs", "OPS"):
            kind: Kind = "rate" if word.endswith("/s") else "flops"
            if letter or word not in ("OPs", "OPS"):
                found[letter + word] = Unit(Fraction(10**power), kind)
    for letter in "GTPE":  # "312 TF", "989 TF/s"
        found[f"{letter}F"] = Unit(Fraction(10 ** scales[letter]), "flops")
        found[f"{letter}F/s"] = Unit(Fraction(10 ** scales[letter]), "rate")
    return found


def _plain_counts() -> dict[str, Unit]:
    words = (
        "params param parameters parameter tokens token elements element weights values scalars entries layers layer heads head "
        "experts expert sequences GPUs GPU devices times floats numbers steps words 参数 个参数 个 层 头 倍 次 词元 元素 个元素 张 块 条 位"
    )
    return {word: Unit(Fraction(1), "count") for word in words.split()}


def _rates() -> dict[str, Unit]:
    """Anything per second."""
    found = {f"{word}/s": Unit(Fraction(1), "rate") for word in "token tokens tok samples sequences requests steps it 词元".split()}
    found |= {f"{letter}B/s": Unit(Fraction(10 ** (3 * power)), "rate") for power, letter in enumerate("KMGTP", start=1)}
    found |= {f"{letter}Hz": Unit(Fraction(10**power), "rate") for letter, power in {"": 0, "k": 3, "M": 6, "G": 9}.items()}
    found |= {f"{letter}b/s": Unit(Fraction(10 ** (3 * power), 8), "rate") for power, letter in enumerate("KMGT", start=1)}
    return found | {f"{letter}bps": Unit(Fraction(10 ** (3 * power), 8), "rate") for power, letter in enumerate("KMGT", start=1)}


UNITS: dict[str, Unit] = {
    **_plain_counts(),
    **{word: Unit(Fraction(1), "other") for word in "km cm mm inch inches mile miles kg kW MW kWh MWh kJ mL cups lb oz".split()},
    **_byte_units(),
    **_time_units(),
    **_flop_units(),
    **_rates(),
}
"""Every unit by the word that is written."""

SYMBOL_LIKE = frozenset({"s", "h", "min", "bit", "个", "层", "头", "head", "layer", "token", "位", "MACs"})
"""Units that may also be a name: they are units only right after a number."""

LIKE_LETTERS = frozenset(word for word, unit in UNITS.items() if unit.kind == "other" or word in ("GF", "TF", "PF", "EF"))
"""Units that are rather a product of letters where no number stands before them, in mathematics also where it touches them: `2km`."""
