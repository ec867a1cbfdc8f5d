r"""Formulas as people write them in documents → tokens with their places: LaTeX, Unicode and code in one notation.

Bounded, and linear in the length of the text. The text of a font (`\text{KV cache}`, `\mathrm{attn}`) is one token.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from derive.errors import FormulaError
from derive.formula.scan_commands import Commands
from derive.formula.signs import RELATIONS, SAME_SIGN, SIGN_COMMANDS
from derive.formula.tokens import MOST_CHARACTERS, MOST_DIGITS, Token, new_token
from derive.text import is_chinese

_DIGITS = re.compile(r"[0-9]+")
_GROUP = r"(?:,|\{,\}|\\[,;:\ ]|\{\\,\}|\\!|\{,\\!\}|,\\!|[\u2009\u202f\u00a0_，'])"
_NUMBER = re.compile(
    rf"""[0-9]{{1,3}} (?:{_GROUP}[0-9]{{3}})+ (?![0-9]) (?:\.[0-9]+)? (?:[eE][+-]?[0-9]+)?
       | [0-9]{{1,3}} (?:[ ][0-9]{{3}}){{2,}} (?![0-9]) (?:\.[0-9]+)?
       | [0-9]{{1,3}},[ ][0-9]{{3}} (?![0-9,]) (?!\s*[0-9])
       | [0-9]++ (?:\.[0-9]++)? (?:e[+-]?[0-9]++ | E[+-][0-9]++)? (?![A-Za-z0-9]*_)
       | [0-9]+ (?:\.[0-9]+)? | \.[0-9]+""",
    re.VERBOSE,
)
_LONGER_NUMBER = frozenset(".,{\\eE_' \u2009\u202f\u00a0，")
"""What may stand in a number behind its first digits."""

_BRACED = re.compile(r"\{\s*([-+=*/<>≈×]|\\(?:times|cdot|approx|sim|leq?|geq?|div)(?![A-Za-z]))\s*\}")
_LONGEST_RELATION = 3
_TWO_LETTER_SIGNS = frozenset(("**", "//"))
_SIGNS = frozenset("-*/.:!·×÷−⋅∗•⨯✕–—‒√∑∂∞‰、。⌊⌋⌈⌉")
_SIMPLE_SIGNS = frozenset("+^_()[]}|,;%'")
"""Signs that no longer one begins with."""

_SUPERS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵈ", "0123456789-+nd", strict=True))
_SUBS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx", strict=True))
_DIGIT_FOLLOWS = re.compile(r"\s*[0-9]")
_POINT_FOR_TIMES = re.compile(r"\.\s?[A-Za-z\\0-9(]")


def scan(text: str) -> list[Token]:
    """The tokens of `text`, ended by one of kind `end`.

    Raises `FormulaError` for a character that no formula has, and beyond the bounds.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"longer than {MOST_CHARACTERS} characters", text)
    return _Scanner(text).tokens()


class _Scanner(Commands):
    """One pass over a text; the first character of each piece says how to read it."""

    def tokens(self) -> list[Token]:
        text, size, found = self.text, len(self.text), self.found
        while (at := self.at) < size:
            letter = text[at]
            if letter in _SIMPLE_SIGNS:
                found.append(new_token((letter, letter, at, at + 1, self.spaced)))
                self.at = at + 1
                self.spaced = False
            else:
                _READERS.get(letter, _Scanner.other)(self)
        self.add("end", "", size)
        return found

    def brace(self) -> None:
        """A brace, or an operator in braces: it has the spacing of a letter."""
        match = _BRACED.match(self.text, self.at)
        if match is not None:
            piece = match.group(1)
            if piece in RELATIONS:
                self.add("relation", RELATIONS[piece], match.end())
            else:
                self.sign(SIGN_COMMANDS.get(piece, SAME_SIGN.get(piece, piece)), match.end())
        elif self.text.startswith("{}", self.at) and not (self.found and self.found[-1].kind in ("_", "^")):
            self.at += 2
            self.spaced = True
        else:
            self.add("{", "{", self.at + 1)

    def other(self) -> None:
        """A relation, Chinese words, superscripts, and signs that have several characters or are none of ASCII."""
        text, at = self.text, self.at
        letter = text[at]
        relation = self.relation()
        if relation:
            self.add("relation", RELATIONS[relation], at + len(relation))
        elif is_chinese(letter):
            self.chinese()
        elif letter in _SUPERS:
            self.raised_or_lowered("super", _SUPERS)
        elif letter in _SUBS:
            self.raised_or_lowered("sub", _SUBS)
        elif text[at : at + 2] in _TWO_LETTER_SIGNS:
            self.sign(SAME_SIGN.get(text[at : at + 2], "//"), at + 2)
        elif letter in _SIGNS:
            self.sign(SAME_SIGN.get(letter, letter), at + 1)
        elif letter == "~":
            self.at, self.spaced = at + 1, True
        else:
            self.space_or_word()

    def relation(self) -> str:
        """The relation that begins here; a tilde or `约` is one before a number."""
        text, at = self.text, self.at
        for length in range(_LONGEST_RELATION, 0, -1):
            piece = text[at : at + length]
            if piece in RELATIONS and (piece not in ("~", "约") or _DIGIT_FOLLOWS.match(text, at + 1)):
                return piece
        return ""

    def chinese(self) -> None:
        """Chinese words, up to one that is a relation."""
        text, start = self.text, self.at
        while self.at < len(text) and is_chinese(text[self.at]) and not self.relation():
            self.at += 1
        end, self.at = self.at, start
        self.add("cjk", text[start:end], end)

    def raised_or_lowered(self, kind: str, letters: dict[str, str]) -> None:
        """`¹²`, `₁₂`: raised or lowered characters in a row are one token, in plain characters."""
        end = self.at
        while end < len(self.text) and self.text[end] in letters:
            end += 1
        if end - self.at > MOST_DIGITS:
            raise self.fail(f"a number of more than {MOST_DIGITS} digits")
        self.add(kind, "".join(letters[letter] for letter in self.text[self.at : end]), end)

    # numbers

    def number(self) -> None:
        """A number without its digit groups; `2.4.d` is 2·4·d."""
        text = self.text
        match = _DIGITS.match(text, self.at)
        if match is not None and match.end() - self.at <= MOST_DIGITS and text[match.end() : match.end() + 1] not in _LONGER_NUMBER:
            self.add("number", match.group(), match.end())
            return
        match = _NUMBER.match(text, self.at)
        if match is None:
            self.other()  # a point that begins no number
            return
        piece, end = match.group(), match.end()
        if not piece.isdecimal():
            if "." in piece and "," not in piece and _POINT_FOR_TIMES.match(text, end):
                self.points_for_times(piece, end)
                return
            piece = re.sub(r"[^0-9.eE+-]", "", piece)
        mantissa, _, exponent = piece.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or (exponent and abs(int(exponent)) > MOST_DIGITS):
            raise self.fail(f"a number of more than {MOST_DIGITS} digits")
        self.add("number", piece, end)

    def points_for_times(self, piece: str, end: int) -> None:
        """`2.4.` before a letter: two numbers, each multiplied with what follows."""
        whole, _, part = piece.partition(".")
        if max(len(whole), len(part)) > MOST_DIGITS:
            raise self.fail(f"a number of more than {MOST_DIGITS} digits")
        self.add("number", whole or "0", self.at + len(whole))
        self.add("*", "*", self.at + 1)
        self.add("number", part, end)
        self.add("*", "*", end + 1)


_READERS: dict[str, Callable[[_Scanner], None]] = {
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", _Scanner.word),
    **dict.fromkeys("0123456789.", _Scanner.number),
    **dict.fromkeys(" \t\n\r", _Scanner.space),
    "\\": _Scanner.command,
    "{": _Scanner.brace,
    "&": lambda scanner: scanner.add("align", "&", scanner.at + 1),
}
