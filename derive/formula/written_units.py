r"""Units behind numbers and in words of their own: `2.5 GiB`, `14\text{ GB}`, `312 TFLOP/s`, `2 bytes/param`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.formula.tree import Name, Quotient
from derive.formula.units import LIKE_LETTERS, SYMBOL_LIKE, UNITS

if TYPE_CHECKING:
    from derive.formula.side import SideReader

DIGITS_OF_A_FACTOR = 2
"""`2B` may be 2·B; a number of more digits is scaled by the letter behind it."""
_LONGEST_UNIT = 4
_WIDTHS = frozenset(("1", "2", "4", "8", "0.5"))
"""Bytes of an element."""


def unit_here(reader: SideReader) -> Name | Quotient | None:
    """The unit behind a number, taken if there is one."""
    token = reader.token
    if token.kind == "cjk":
        return _chinese_unit(reader)
    if token.kind not in ("word", "text"):
        return None
    word = token.text.strip(" .,")
    if word == "B" and is_bytes(reader):
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
    if word in UNITS and not _are_letters(reader, word):
        reader.take()
        return unit(reader, word)
    return _time_letter(reader, word)


def _are_letters(reader: SideReader, word: str) -> bool:
    """Whether what could be a unit is rather a name or a product of names: `2km_e`, `12 s`."""
    token = reader.token
    if token.kind == "text":
        return False
    if word in LIKE_LETTERS and (reader.ahead().kind in ("_", "sub") or not (reader.plain or token.spaced)):
        return True
    return word in SYMBOL_LIKE and not (reader.in_numbers and len(word) > 1)


def is_bytes(reader: SideReader) -> bool:
    """Whether the B behind a number means bytes: surely in `131,072 B`, perhaps in `2B` and `7 B`."""
    digits, token = reader.before().text, reader.token
    if reader.ahead().kind in ("_", "sub", "^", "super", "word", "greek", "("):
        return False
    if digits.isdecimal() and len(digits) > DIGITS_OF_A_FACTOR + 1 and (token.spaced or token.text.startswith(" ")):
        return True
    reader.doubts |= {"B for bytes", "B for bytes behind a width"}
    return "B for bytes" in reader.choices or ("B for bytes behind a width" in reader.choices and digits in _WIDTHS)


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
