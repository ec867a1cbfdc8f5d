"""One side of a statement, read by recursive descent over its tokens.

What stands in products and powers is read by modules of its own: `written_numbers`, `names`, `marks`, `commands`, `functions`, `notes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from derive.formula.claims import claim_of
from derive.formula.commands import read_command
from derive.formula.cursor import LOOK_AHEAD
from derive.formula.functions import read_rounding
from derive.formula.labels import label_of, labelled
from derive.formula.marks import read_mark, read_prime
from derive.formula.names import read_name, read_text, starts_factor
from derive.formula.notes import is_note, skip_note
from derive.formula.recursion import Recursion, product_of
from derive.formula.signs import CLOSING
from derive.formula.statement import Side, Written
from derive.formula.subscripts import read_subscript
from derive.formula.tokens import Token
from derive.formula.tree import Applied, Formula, Name, Number, Product, Quotient, children
from derive.formula.units import SCALES, SINGLE, SYMBOL_LIKE, UNITS
from derive.formula.whole_words import is_word
from derive.formula.written_numbers import read_number, scaled

_FACTOR_KINDS = frozenset(("number", "word", "greek", "text", "cjk", "command", *CLOSING))
_ARGUMENT_KINDS = frozenset(("number", "word", "greek", "text"))
_CLOSING_COMMANDS = frozenset((r"\rfloor", r"\rceil", r"\}"))
_MARKS = frozenset(("%", "‰", "'"))
_ENDING = frozenset(("end", ")", "]", "}", "+", "-"))
_MOST_MARKS = 2
"""How many primes or per cent signs may follow one another."""


class SideReader(Recursion):
    """Reads the tokens of one side. `choices` are the doubts to be settled the other way."""

    def __init__(self, text: str, tokens: Sequence[Token], *, plain: bool, choices: frozenset[str]) -> None:
        super().__init__(text, tokens)
        self.plain = plain
        self.choices = choices
        self.units: set[str] = set()
        self.labels: dict[str, str] = {}
        self.doubts: set[str] = set()
        self.remarks: list[str] = []
        self.in_numbers = _only_numbers(tokens)

    def side(self, *, worded: bool = False) -> Side:
        """The side; as one name where it is `worded`."""
        start, end = self.token.start, self.tokens[-1].end
        text = self.text[start:end]
        label = labelled(self, text) if worded and len(text.strip()) > 1 else label_of(self)
        if label is not None:
            return Side(label, text, start, end)
        formula = self.sum()
        self.finish()
        if self.units and set(formula.names) <= self.units and not _has_number(formula):  # "FLOPs/token": words, not units
            self.units.clear()
            return Side(formula if isinstance(formula, Name) else labelled(self, formula.text), text, start, end)
        return Side(formula, text, start, end, claim_of(formula, self.units), frozenset(self.units))

    def finish(self) -> None:
        """What is left may be a remark in words, nothing else."""
        rest = self.tokens[self.at : -LOOK_AHEAD]
        if not rest:
            return
        if rest[0].kind in ("text", "cjk") and all(token.kind in ("text", "cjk", "word") or token.text in "/_-,.()" for token in rest):
            self.remark(rest[0].start, rest[-1].end)
            return
        raise self.fail(f"cannot read '{rest[0].text}' here")

    def remark(self, start: int, end: int) -> None:
        """Words that say something about the side and are no part of it."""
        self.remarks.append(self.text[start:end])

    # products

    def opposite(self, term: Formula) -> Formula:
        """A number that is written keeps what its digits claim: `-3.17` is exact to a hundredth."""
        if isinstance(term, Written):
            return Written(-term.value, term.resolution, term.scale)
        if isinstance(term, Product) and isinstance(term.factors[0], Written):
            return Product((self.opposite(term.factors[0]), *term.factors[1:]))
        return super().opposite(term)

    def product(self) -> Formula:
        factors = [self.factor()]
        while True:
            kind = self.token.kind
            if kind == "*" or (kind == "word" and self.token.text in ("x", "X") and self.is_times()):
                self.take()
                if self.token.kind in _ENDING or self.words_follow():  # "8×": eight times
                    break
                factors.append(self.factor())
            elif kind in ("/", "//"):
                factors = [self.quotient(factors)]
            elif kind == "(" and is_note(self):
                skip_note(self)
            elif kind == "word" or (kind in _FACTOR_KINDS and self.goes_on()):
                factors.append(self.factor())
            else:
                break
        return product_of(factors)

    def words_follow(self) -> bool:
        """`8× compression`: plain words up to the end of the side are a remark."""
        rest = self.tokens[self.at : -LOOK_AHEAD]
        words = all(token.kind in ("word", "cjk") and len(token.text) > 1 for token in rest)
        if not (
            self.plain and words and rest[0].kind == "word" and rest[0].text.islower() and not is_word(rest[0].text) and rest[0].spaced
        ):
            return False
        self.remark(rest[0].start, rest[-1].end)
        self.go(self.at + len(rest))
        return True

    def goes_on(self) -> bool:
        """Whether what stands here is multiplied without a sign."""
        kind = self.token.kind
        if kind == "number" and self.before().kind == "number":
            raise self.fail("two numbers without a sign between them")
        if kind in ("text", "cjk"):
            return starts_factor(self)
        return kind != "command" or self.token.text not in _CLOSING_COMMANDS

    def quotient(self, factors: list[Formula]) -> Formula:
        """The product so far, divided by what follows."""
        whole = self.take().kind == "//"
        quotient = Quotient(product_of(factors), self.divisor())
        return self.not_too_high(Applied("floor", (quotient,)) if whole else quotient)

    def divisor(self) -> Formula:
        """What a slash divides by: `T/8D` is T/(8D), `d/h h_kv` is (d/h)h_kv; written without a space it holds together."""
        factors = [self.factor()]
        if self.is_power_of_ten(factors[0]):
            self.doubts.add("loose power")
            if "loose power" not in self.choices:
                self.take()
                factors.append(self.factor())
        while self.token.kind in ("word", "greek", "command") and not self.token.spaced and self.goes_on():
            self.doubts.add("loose division")
            if "loose division" in self.choices:
                break
            factors.append(self.factor())
        return product_of(factors)

    def is_power_of_ten(self, factor: Formula) -> bool:
        """`a×10^x / b×10^y`: the power of ten behind a number belongs to it."""
        return isinstance(factor, Written) and self.token.kind == "*" and self.ahead().text == "10" and self.ahead(2).kind in ("^", "super")

    def is_times(self) -> bool:
        """`32 x 4096`, `2 x L x d`: an x between factors."""
        token, before, after = self.token, self.before(), self.ahead()
        numbers = before.kind == "number" and after.kind in ("number", "end")
        follows = after.kind in ("number", "word", "text", "end") or not after.kind.isalpha()
        return numbers or (token.spaced and (after.spaced or after.kind == "end") and follows)

    # factors

    def factor(self) -> Formula:
        base = super().factor()
        marks = 0
        while self.token.kind in _MARKS:
            marks += 1
            if marks > _MOST_MARKS:
                raise self.fail(f"more than {_MOST_MARKS} marks")
            if self.token.kind == "'":
                base = read_prime(self, base)
            else:
                base = scaled(base, self.take().text)
            if self.token.kind in ("^", "super"):
                base = self.raised(base)
        return base

    def raised(self, base: Formula) -> Formula:
        """A star, a dagger or a letter in brackets is part of the name; a transposition is not read."""
        if self.token.kind == "^":
            marked = read_mark(self, base)
            if marked is not None:
                return self.subscripted(marked) if self.token.kind in ("_", "sub") and isinstance(marked, Name) else marked
        return super().raised(base)

    def subscripted(self, name: Name) -> Name:
        return Name(f"{name.name}_{read_subscript(self)}")

    def exponent(self) -> Formula:
        """In LaTeX, the first letter of a word; in plain text the word."""
        at = self.at + (self.token.kind == "-")
        token = self.tokens[at]
        if token.kind == "word" and len(token.text) > 1 and not self.plain:
            self.split(1, at)
        return super().exponent()

    def atom(self, *, exponent: bool = False) -> Formula:
        kind = self.token.kind
        if kind in ("word", "greek"):
            return read_name(self)
        if kind == "number":
            return read_number(self, alone=exponent)
        if kind in ("text", "cjk"):
            return read_text(self)
        if kind == "command":
            return read_command(self)
        if kind in CLOSING:
            return self.group()
        if kind in ("⌊", "⌈"):
            return read_rounding(self)
        if kind == "|":
            return self.absolute()
        raise self.fail("the formula ends too early" if kind == "end" else "expected a number, a symbol or '('")

    def argument(self, command: str) -> Formula:
        r"""The argument of a command: a group, or one letter or digit (`\frac12`)."""
        kind, text, *_ = self.token
        if kind == "{":
            return self.group()
        if kind not in _ARGUMENT_KINDS:
            raise self.fail(f"expected '{{' after {command}")
        if kind == "number" and len(text) > 1 and text.isdecimal():
            self.split(1)
            return Number(int(self.take().text))
        if kind == "word" and len(text) > 1:
            self.split(1)
        return self.atom(exponent=True)

    def absolute(self) -> Formula:
        r"""`|W|`, `|\theta|`: the size of what a name stands for, a name of its own."""
        self.take()
        name = read_name(self) if self.token.kind in ("word", "greek") else read_text(self)
        self.expect("|", "to close '|'")
        if not isinstance(name, Name):
            raise self.fail("an absolute value")
        return Name(f"{name.name}_{read_subscript(self)}") if self.token.kind in ("_", "sub") else name


def _only_numbers(tokens: Sequence[Token]) -> bool:
    """Whether a side has no letters but scales and units, so that the `B` of `7B` is a scale."""
    before = last = ""
    for token in tokens:
        kind, text = token.kind, token.text
        if kind == "word" and text not in ("x", "X") and before != "/":
            if text not in UNITS and text not in SCALES:
                return False
            if before not in ("number", "word", "text") and text in SINGLE:
                return False
        elif kind in ("greek", "sub") or (kind in ("^", "super") and last in SYMBOL_LIKE):  # `4h^2` is no power of hours
            return False
        before, last = kind, text
    return True


def _has_number(formula: Formula) -> bool:
    return isinstance(formula, Number) or any(_has_number(child) for child in children(formula))
