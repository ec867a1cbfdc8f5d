r"""Numbers with the scale behind them: `124M`, `6.7\text{B}`, `1750亿`, `31%`; and with the unit behind that."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from derive.formula.notes import skip_counted, skip_per
from derive.formula.statement import Written
from derive.formula.tree import Formula, Number, Product
from derive.formula.units import SCALES, SINGLE, UNITS
from derive.formula.written_units import DIGITS_OF_A_FACTOR, is_bytes, unit_here

if TYPE_CHECKING:
    from derive.formula.side import SideReader

_WORD_KINDS = frozenset(("word", "text", "cjk"))
_LONGEST_SCALE = 2
_LETTERS_TOO = frozenset(("bn", "mn"))
"""Scales that are rather a product of letters where they touch a number: `4bn^2d`."""


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
        value = _times(value, word)
    unit = unit_here(reader)
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
    return _times(base, word) if isinstance(base, Written) else Product((base, Number(SCALES[word])))


def _times(value: Written, word: str) -> Written:
    """A number with the word that scales it."""
    factor = SCALES[word]
    return Written(value.value * factor, (value.resolution or 1) * factor, word)


def _scale_here(reader: SideReader) -> str | None:
    r"""The scale behind a number: `124M`, `6.7\text{B}`, `1750亿`, `3 billion`, `8 Gi`; taken if there is one."""
    token = reader.token
    word = token.text.strip()
    if token.kind == "cjk":
        return _chinese_scale(reader)
    if token.kind == "text" and " " in word:  # "B parameters", "percent more"
        first, _, rest = word.partition(" ")
        if first not in SCALES:
            return None
        reader.put(token._replace(text=rest.strip()))
        return first
    if token.kind not in ("word", "text") or word not in SCALES:
        return None
    if word == "B" and is_bytes(reader):
        return None
    if (
        word in _LETTERS_TOO
        and token.kind == "word"
        and not token.spaced
        and (not reader.plain or reader.ahead().kind in ("^", "super", "_"))
    ):
        return None
    if word in SINGLE and token.kind == "word" and not _scale_letter(reader):
        return None
    reader.take()
    return word


def _scale_letter(reader: SideReader) -> bool:
    """Whether a letter behind a number scales it; `2B` may be 2·B, which is a doubt where the side has only numbers else."""
    token, digits, after = reader.token, reader.before().text, reader.ahead()
    raised = after.kind in ("^", "super")
    if after.kind in ("_", "sub") or (raised and not reader.in_numbers):
        return False
    if token.spaced and not reader.in_numbers:
        return False
    if "." in digits or len(digits) > DIGITS_OF_A_FACTOR:
        return after.kind not in ("word", "greek") or after.spaced
    if not reader.in_numbers:
        return False
    reader.doubts.add("letters for scales")
    return "letters for scales" not in reader.choices


def _chinese_scale(reader: SideReader) -> str | None:
    """`1750亿参数`: the longest scale that the word begins with; the rest stays."""
    word = reader.token.text
    for length in range(min(len(word), _LONGEST_SCALE), 0, -1):
        if word[:length] in SCALES:
            reader.shorten(length)
            return word[:length]
    return None
