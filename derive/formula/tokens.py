"""Text or LaTeX → tokens with their columns. Bounded, and linear in the length of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from derive.errors import FormulaError

MOST_CHARACTERS = 10_000
MOST_DIGITS = 3_000

Kind = Literal["number", "word", "command", "sign", "superscript", "end"]

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_PLAIN_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789-")
_TOKEN = re.compile(
    r"""
      (?P<space>    \s+ | ~ | \\[,;:!\ ] | \\(?:q?quad|thinspace)(?![A-Za-z]) | \{,\}(?!\d) )
    | (?P<number>   (?: \d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d) (?:\.\d+)? | \d+(?:\.\d+)? | \.\d+ ) (?:[eE][+-]?\d+)? )
    | (?P<word>     [A-Za-z\u0370-\u03ff]+ )
    | (?P<command>  \\[A-Za-z]+ )
    | (?P<superscript> [⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+ )
    | (?P<sign>     \*\* | [-+*/^_(){}\[\]=,] | [·×÷−⋅] )
    """,
    re.VERBOSE,
)
_SAME_SIGN = {"·": "*", "⋅": "*", "×": "*", "÷": "/", "−": "-", "**": "^"}
_SIGN_COMMANDS = {r"\cdot": "*", r"\times": "*", r"\div": "/"}
_SILENT_COMMANDS = {r"\left", r"\right", r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\displaystyle"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a formula and the column, from 1, at which it stands."""

    kind: Kind
    text: str
    column: int


def tokens(text: str) -> list[Token]:
    """The tokens of `text`, ended by one of kind `end`.

    Raises `FormulaError` for a character that no formula of ours has, and for text beyond the bounds.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"longer than {MOST_CHARACTERS} characters", text)
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"cannot read {text[at]!r}", text, at + 1)
        token = _token(match, text)
        if token is not None:
            found.append(token)
        at = match.end()
    return [*found, Token("end", "", len(text) + 1)]


def _token(match: re.Match[str], text: str) -> Token | None:
    piece, column = match.group(), match.start() + 1
    match match.lastgroup:
        case "number":
            return _number_token(piece.replace("{,}", "").replace(",", ""), text, match)
        case "word":
            return Token("word", piece, column)
        case "superscript":
            if len(piece) > MOST_DIGITS:
                raise FormulaError(f"a number of more than {MOST_DIGITS} digits", text, column)
            return Token("superscript", piece.translate(_PLAIN_DIGITS), column)
        case "sign":
            return Token("sign", _SAME_SIGN.get(piece, piece), column)
        case "command" if piece in _SIGN_COMMANDS:
            return Token("sign", _SIGN_COMMANDS[piece], column)
        case "command" if piece not in _SILENT_COMMANDS:
            return Token("command", piece, column)
    return None


def _number_token(digits: str, text: str, match: re.Match[str]) -> Token:
    """A number such as 38597376, 2.5 or 1.97e14; `1.5.3` is none."""
    column = match.start() + 1
    mantissa, _, exponent = digits.lower().partition("e")
    if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or (exponent and abs(int(exponent)) > MOST_DIGITS):
        raise FormulaError(f"a number of more than {MOST_DIGITS} digits", text, column)
    if re.match(r"\.\d", text[match.end() :]):
        raise FormulaError(f"cannot read the number '{match.group()[:20]}{text[match.end() :][:2]}…'", text, column)
    return Token("number", digits, column)
