"""Formulas inside a sentence: what stands between backticks is read by our parser and written in the reader's notation."""

from __future__ import annotations

from collections.abc import Callable

from derive.formula.parse import parse
from derive.formula.tree import Formula
from derive.formula.write import write_text


def inline(sentence: str, write: Callable[[Formula], str], wrap: Callable[[str], str] = lambda text: text) -> str:
    """``with `d_kv = d` `` → the same sentence, its formulas written by `write` and wrapped by `wrap`."""
    pieces = sentence.split("`")
    for at in range(1, len(pieces), 2):
        sides = [write(parse(side)) for side in pieces[at].split("=")]
        pieces[at] = wrap(" = ".join(sides))
    return "".join(pieces)


def inline_text(sentence: str) -> str:
    """The sentence with its formulas in Unicode."""
    return inline(sentence, write_text)
