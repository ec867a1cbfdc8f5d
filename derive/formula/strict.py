r"""The notation of a command line: the tokens of documents, without what only documents have.

Digit groups have commas (`32,000`, `38{,}597{,}376`), letters of a unit, notes and other relations than `=` are refused.
"""

from __future__ import annotations

import re

from derive.errors import FormulaError
from derive.formula.scan import scan
from derive.formula.tokens import Token

_KINDS = frozenset(("number", "word", "text", "command", "super", "end", *"+-*/^_(){}[]=,"))
_WORDS = re.compile(r"[A-Za-z0-9\u0370-\u03ff_, ]+")
_NO_DIGITS = re.compile(r"[^0-9]*")
_PLAIN_NUMBER = re.compile(r"(?:[0-9]{1,3}(?:(?:,|\{,\})[0-9]{3})+|[0-9]+)?(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def strict_tokens(text: str) -> list[Token]:
    """The tokens of a formula in the vocabulary's names; `=` is a sign of its own kind.

    Raises `FormulaError` with the column of the first piece that such a formula does not have.
    """
    found: list[Token] = []
    for token in scan(text):
        if token.kind == "relation" and text[token.start : token.end] in ("=", "＝"):
            token = token._replace(kind="=")
        if token.kind in _KINDS:
            _refuse_number(text, token, found)
            if token.kind == "text" and not _WORDS.fullmatch(token.text):
                raise FormulaError(f"unknown word '{token.text.strip()}'", text, token.start + 1)
            found.append(token)
            _join_exponent(found)
        elif token.kind != "gap" and text[token.start : token.end] != "~":
            raise FormulaError(f"cannot read '{text[token.start : token.end]}'", text, token.start + 1)
    return found


def _refuse_number(text: str, token: Token, before: list[Token]) -> None:
    r"""`1.5.3` and `32\,000` are no numbers."""
    written = text[token.start : token.end]
    if token.kind == "*" and written == ".":
        raise FormulaError(f"cannot read the number '{before[-1].text}…'", text, before[-1].start + 1)
    if token.kind == "number" and len(written) != len(token.text) and not _PLAIN_NUMBER.fullmatch(written):
        plain = _PLAIN_NUMBER.match(written)
        separator = _NO_DIGITS.match(written, plain.end() if plain is not None else 0)
        behind = separator.end() if separator is not None else 0
        raise FormulaError("two numbers without a sign between them", text, token.start + behind + 1)


def _join_exponent(found: list[Token]) -> None:
    """`2E3` is 2000: in documents it may be 2·E·3."""
    if len(found) < 3 or found[-2].text != "E":
        return
    mantissa, letter, exponent = found[-3:]
    touching = mantissa.end == letter.start and letter.end == exponent.start
    if touching and mantissa.kind == exponent.kind == "number" and exponent.text.isdecimal() and len(exponent.text) < 4:
        found[-3:] = [Token("number", f"{mantissa.text}e{exponent.text}", mantissa.start, exponent.end, mantissa.spaced)]
