"""A place in the tokens of one side, and what reading has found so far."""

from __future__ import annotations

from collections.abc import Sequence

from derive.errors import FormulaError
from derive.formula.tokens import Token, new_token
from derive.formula.tree import Formula, children

DEEPEST = 60
"""Brackets and fractions inside one another."""
HIGHEST = 150
"""Nodes of a tree inside one another, however written."""
LOOK_AHEAD = 4
"""How many tokens of kind `end` stand behind a side, so that looking ahead needs no guard."""


class Cursor:
    """The tokens of one side with the one that is read next."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        end = tokens[-1].end
        self.text = text
        self.tokens = [*tokens, *[Token("end", "", end, end)] * LOOK_AHEAD]
        self.at = 0
        self.token = self.tokens[0]
        self.depth = 0
        self.may_be_high = 2 * len(tokens) > HIGHEST  # a token adds two nodes to a branch, at most
        self.heights: dict[int, tuple[int, Formula]] = {}

    def take(self) -> Token:
        """The next token; the one behind it is next."""
        token = self.token
        if token.kind != "end":
            self.at += 1
            self.token = self.tokens[self.at]
        return token

    def go(self, at: int) -> None:
        """Reading goes on at another place."""
        self.at = at
        self.token = self.tokens[at]

    def before(self) -> Token:
        """The token that was read last; one of kind `end` where there is none."""
        return self.tokens[self.at - 1]

    def ahead(self, distance: int = 1) -> Token:
        """A token behind the next one, at most `LOOK_AHEAD` away."""
        return self.tokens[self.at + distance]

    def fail(self, message: str) -> FormulaError:
        """The error with the column of the next token."""
        return FormulaError(message, self.text, self.token.start + 1)

    def expect(self, sign: str, where: str) -> None:
        """Takes a sign; an error that says `where` it is missing."""
        if self.token.kind != sign:
            raise self.fail(f"expected '{sign}' {where}")
        self.take()

    def split(self, length: int, at: int | None = None) -> None:
        """Parts a word, the next token or the one at a place: the letters behind the first stand for themselves."""
        place = self.at if at is None else at
        kind, text, start, end, spaced = self.tokens[place]
        middle = start + length
        self.tokens[place] = new_token((kind, text[:length], start, middle, spaced))
        self.tokens.insert(place + 1, new_token((kind, text[length:], middle, end, False)))
        self.token = self.tokens[self.at]

    def shorten(self, length: int) -> None:
        """Takes the first letters of a token; the rest is next."""
        kind, text, start, end, _ = self.token
        if len(text) == length:
            self.take()
        else:
            self.put(Token(kind, text[length:], start + length, end))

    def put(self, token: Token) -> None:
        """Another token in the place of the next one."""
        self.tokens[self.at] = self.token = token

    def skip_group(self, closing: str) -> None:
        """Takes everything up to a bracket, and the bracket."""
        while self.token.kind not in (closing, "end"):
            self.take()
        self.take()

    def deeper(self) -> None:
        """One more part inside another, unless they are too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"brackets nested more than {DEEPEST} deep")

    def not_too_high(self, formula: Formula) -> Formula:
        """The formula, unless so many of its nodes stand inside one another that no traversal could go through them."""
        if self.may_be_high and self.height(formula) > HIGHEST:
            raise self.fail(f"divisions and brackets inside one another more than {HIGHEST} deep")
        return formula

    def height(self, formula: Formula) -> int:
        """Nodes inside one another; those of parts that were read before are remembered."""
        if id(formula) not in self.heights:
            self.heights[id(formula)] = 1 + max(map(self.height, children(formula)), default=0), formula
        return self.heights[id(formula)][0]
