r"""Numbers with the scale and the unit behind them: `124M`, `1750亿`, `2.5 GiB`, `14\text{ GB}`, `312 TFLOP/s`, `2 bytes/param`."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from derive.formula.notes import skip_counted, skip_per
from derive.formula.statement import Written
from derive.formula.tree import Formula, Name, Number, Product, Quotient
from derive.formula.units import SCALES, SINGLE, SYMBOL_LIKE, UNITS, scale

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_WORD_KINDS = frozenset(("word", "text", "cjk"))
_LONGEST_SCALE = 2
_LONGEST_UNIT = 4
_WIDTHS = frozenset(("1", "2", "4", "8", "0.5"))
"""Bytes of an element."""
_DIGITS_OF_A_FACTOR = 2
"""`2B` may be 2·B; a number of more digits is scaled by the letter behind it."""


def read_number(reader: SideReader, *, alone: bool) -> Formula:
    """A number with the scale and the unit behind it; as an exponent it stands `alone`."""
    value = written(reader.take().text)
    kind, text = reader.token.kind, reader.token.text
    if alone or kind not in _WORD_KINDS:
        return value
    rate = reader.ahead().kind == "/" and f"{text}/{reader.ahead(2).text}" in UNITS
    if kind == "word" and text not in SCALES and text not in UNITS and not rate:
        skip_counted(reader)
        return value
    word = _scale_here(reader)
    if word is not None:
        value = _times(value, scale(word) or Fraction(1), word)
    unit = _unit_here(reader)
    if unit is None:
        skip_counted(reader)
        return value
    skip_per(reader)
    return Product((value, unit))


@lru_cache(maxsize=1024)
def written(digits: str) -> Written:
    """The value of the digits, and one unit of the last; a whole number has none."""
    if digits.isdecimal():
        return Written(int(digits))
    mantissa, _, exponent = digits.lower().partition("e")
    whole, _, decimals = mantissa.partition(".")
    power = int(exponent or 0) - len(decimals)
    unit = Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)
    return Written(int(whole + decimals) * unit, unit)


def scaled(base: Formula, word: str) -> Formula:
    """A number in hundredths or thousandths."""
    factor = scale(word) or Fraction(1)
    return _times(base, factor, word) if isinstance(base, Written) else Product((base, Number(factor)))


def _times(value: Written, factor: Fraction, word: str) -> Written:
    return Written(value.value * factor, (value.resolution or 1) * factor, word)


# scales


def _scale_here(reader: SideReader) -> str | None:
    r"""The scale behind a number: `124M`, `6.7\text{B}`, `1750亿`, `3 billion`, `8 Gi`; taken if there is one."""
    token = reader.token
    word = token.text.strip()
    if token.kind == "cjk":
        return _chinese_scale(reader)
    if token.kind == "text" and " " in word:  # "B parameters", "percent more"
        first, _, rest = word.partition(" ")
        if scale(first) is None:
            return None
        reader.put(token._replace(text=rest.strip()))
        return first
    if token.kind not in ("word", "text") or scale(word) is None:
        return None
    if word == "B" and _is_bytes(reader):
        return None
    if word in SINGLE and token.kind == "word" and not _scale_letter(reader):
        return None
    reader.take()
    return word


def _is_bytes(reader: SideReader) -> bool:
    """Whether the B behind a number means bytes: surely in `131,072 B`, perhaps in `2B` and `7 B`."""
    digits, token = reader.before().text, reader.token
    if reader.ahead().kind in ("_", "sub", "^", "super", "word", "greek", "("):
        return False
    if digits.isdecimal() and len(digits) > _DIGITS_OF_A_FACTOR + 1 and (token.spaced or token.text.startswith(" ")):
        return True
    reader.doubts |= {"B for bytes", "B for bytes behind a width"}
    return "B for bytes" in reader.choices or ("B for bytes behind a width" in reader.choices and digits in _WIDTHS)


def _scale_letter(reader: SideReader) -> bool:
    """Whether a letter behind a number scales it; `2B` may be 2·B, which is a doubt where the side has only numbers else."""
    token, digits, after = reader.token, reader.before().text, reader.ahead()
    raised = after.kind in ("^", "super")
    if after.kind in ("_", "sub") or (raised and not reader.in_numbers):
        return False
    if token.spaced and not reader.in_numbers:
        return False
    if "." in digits or len(digits) > _DIGITS_OF_A_FACTOR:
        return after.kind not in ("word", "greek") or after.spaced
    if not reader.in_numbers:
        return False
    reader.doubts.add("letters for scales")
    return "letters for scales" not in reader.choices


def _chinese_scale(reader: SideReader) -> str | None:
    """`1750亿参数`: the longest scale that the word begins with; the rest stays."""
    word = reader.token.text
    for length in range(_LONGEST_SCALE, 0, -1):
        if scale(word[:length]) is not None:
            reader.shorten(min(length, len(word)))
            return word[:length]
    return None


# units


def _unit_here(reader: SideReader) -> Name | Quotient | None:
    """The unit behind a number, taken if there is one."""
    token = reader.token
    if token.kind == "cjk":
        return _chinese_unit(reader)
    if token.kind not in ("word", "text"):
        return None
    word = token.text.strip(" .,")
    if word == "B" and _is_bytes(reader):
        reader.take()
        return unit(reader, "bytes")
    if reader.ahead().kind == "/" and f"{word}/{reader.ahead(2).text.strip()}" in UNITS:
        per = f"{word}/{reader.ahead(2).text.strip()}"
        reader.go(reader.at + 3)
        return unit(reader, per)
    if token.kind == "text" and is_unit_per(word):
        reader.take()
        return unit_per(reader, word)
    if token.kind == "text" and " " in word and word.split()[0] in UNITS:
        reader.remarks.append(word)
        reader.take()
        return unit(reader, word.split()[0])
    if word in UNITS and (word not in SYMBOL_LIKE or token.kind == "text" or (reader.in_numbers and len(word) > 1)):
        reader.take()
        return unit(reader, word)
    return _time_letter(reader, word)


def _chinese_unit(reader: SideReader) -> Name | None:
    word = reader.token.text
    for length in range(min(len(word), _LONGEST_UNIT), 0, -1):
        if word[:length] in UNITS:
            reader.shorten(length)
            return unit(reader, word[:length])
    return None


def _time_letter(reader: SideReader, word: str) -> Name | None:
    """`0.0114 s` at the end of a side of numbers is in seconds."""
    if word in ("s", "h") and reader.in_numbers and reader.ahead().kind == "end" and reader.plain:
        reader.take()
        return unit(reader, word)
    return None


def unit(reader: SideReader, word: str) -> Name:
    """A unit of the side."""
    reader.units.add(word)
    return Name(word)


def is_unit_per(words: str) -> bool:
    """`bytes/param`, `GB per layer`: a unit per something."""
    return _parts_of_per(words) is not None


def unit_per(reader: SideReader, words: str) -> Quotient | Name:
    """A unit per something; the something is dropped where it is not a unit."""
    above, below = _parts_of_per(words) or (words, "")
    if below in UNITS or below.removesuffix("s") in UNITS:
        return Quotient(unit(reader, above), unit(reader, below))
    return unit(reader, above)


def _parts_of_per(words: str) -> tuple[str, str] | None:
    if "/" not in words and " per " not in words:
        return None
    above, slash, below = words.partition("/")
    if not slash:
        above, _, below = words.partition(" per ")
    return (above.strip(), below.strip(" .")) if above.strip() in UNITS else None
