"""The pieces of a formula, and the tape on which a scanner writes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from derive.errors import FormulaError
from derive.formula.signs import FULL_WIDTH

MOST_CHARACTERS = 10_000
MOST_DIGITS = 3_000

WORD = re.compile(r"[A-Za-z\u00b5\u0370-\u03ff\u1f00-\u1fff]+")
_SPACE = re.compile(r"(?:[\s\u200b\ufeff]|\\[,;:!>/ -])+")


class Token(NamedTuple):
    """A piece of a formula with its place (from 0), and whether space stands before it.

    `kind` is number, word, greek, cjk, text, command, relation, super, sub, gap, row, align or end; a sign is its own kind.
    """

    kind: str
    text: str
    start: int
    end: int
    spaced: bool = False


new_token: Callable[[tuple[str, str, int, int, bool]], Token] = partial(tuple.__new__, Token)
"""A token of its parts: half the time of `Token(…)`, and most of the time goes there."""


class Tape:
    """A text, the place in it, and the tokens found so far."""

    def __init__(self, text: str) -> None:
        self.text = text if text.isascii() else text.translate(FULL_WIDTH)
        self.at = 0
        self.spaced = False
        self.found: list[Token] = []

    def add(self, kind: str, text: str, end: int) -> None:
        """A token that stands up to `end`."""
        self.found.append(new_token((kind, text, self.at, end, self.spaced)))
        self.at = end
        self.spaced = False

    def sign(self, sign: str, end: int) -> None:
        """A sign that stands up to `end`; one that LaTeX has a command for is that command."""
        self.add("command" if sign[0] == "\\" else sign, sign, end)  # ∑ is the command \sum

    def fail(self, message: str) -> FormulaError:
        """The error with the column of the next character."""
        return FormulaError(message, self.text, self.at + 1)

    def space(self) -> None:
        """Spaces of any kind: the token behind them is `spaced`."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match is not None else self.at + 1
        self.spaced = True

    def word(self) -> None:
        """A run of letters."""
        match = WORD.match(self.text, self.at)
        assert match is not None
        word = match.group()
        self.add("word", word, self.at + len(word))

    def space_or_word(self) -> None:
        """Spaces or letters beyond ASCII; any other character is an error."""
        if _SPACE.match(self.text, self.at):
            self.space()
        elif WORD.match(self.text, self.at):
            self.word()
        else:
            raise self.fail(f"cannot read {self.text[self.at]!r}")
