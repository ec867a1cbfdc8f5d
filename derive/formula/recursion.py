"""Sums, powers and brackets: what every reader of formulas has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod

from derive.formula.cursor import Cursor
from derive.formula.signs import CLOSING
from derive.formula.tidy import negated
from derive.formula.tree import Formula, Name, Number, Power, Product, Sum

_MOST_POWERS = 2
"""How many exponents may follow one another."""


class Recursion(Cursor, ABC):
    """A reader by recursive descent; what a product, an atom and a subscript are is left to each."""

    @abstractmethod
    def product(self) -> Formula:
        """Factors that stand side by side or are multiplied or divided."""

    @abstractmethod
    def atom(self, *, exponent: bool = False) -> Formula:
        """What holds together by itself."""

    @abstractmethod
    def subscripted(self, name: Name) -> Name:
        """A name with the subscript that stands here, behind its exponent."""

    def sum(self) -> Formula:
        """Terms with their signs; one term is itself."""
        self.deeper()
        terms = [self.signed(first=True)]
        while self.token.kind in ("+", "-"):
            terms.append(self.signed(first=False))
        self.depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def signed(self, *, first: bool) -> Formula:
        """A term with the sign before it; only the first may go without."""
        minus = self.token.kind == "-"
        if minus or not first or self.token.kind == "+":
            self.take()
        term = self.product()
        return self.opposite(term) if minus else term

    def opposite(self, term: Formula) -> Formula:
        """What a minus before a term makes of it."""
        return negated(term)

    def factor(self) -> Formula:
        """An atom and its exponents."""
        base, powers = self.atom(), 0
        while self.token.kind in ("^", "super"):
            powers += 1
            if powers > _MOST_POWERS:
                raise self.fail("a power of a power needs brackets")
            base = self.raised(base)
        return base

    def raised(self, base: Formula) -> Formula:
        """The base with one exponent; in `d^2_{kv}` the subscript belongs to the base."""
        if self.token.kind == "super":
            exponent: Formula = self.superscript()
        else:
            self.take()
            exponent = self.exponent()
        if self.token.kind in ("_", "sub") and isinstance(base, Name):
            base = self.subscripted(base)
        return Power(base, exponent)

    def superscript(self) -> Number | Name:
        """`²`, `⁻¹`, `ⁿ`: a raised number, or one raised letter."""
        text = self.token.text
        if text.removeprefix("-").isdecimal():
            self.take()
            return Number(int(text))
        if text.isalpha() and len(text) == 1:
            self.take()
            return Name(text)
        raise self.fail("cannot read the superscript")

    def exponent(self) -> Formula:
        """What stands after `^`: a group, or a sign and an atom."""
        minus = self.token.kind == "-"
        if minus:
            self.take()
        atom = self.atom(exponent=True)
        if self.token.kind == "^":
            raise self.fail("a power of a power needs brackets")
        return negated(atom) if minus else atom

    def group(self) -> Formula:
        """What stands in the brackets that open here."""
        opening = self.take().kind
        inner = self.not_too_high(self.sum())
        if opening == "(" and self.token.kind == ",":
            raise self.fail("a list in brackets, not a product")
        self.expect(CLOSING[opening], f"to close '{opening}'")
        return inner


def product_of(factors: list[Formula]) -> Formula:
    """The product as written; one factor is itself."""
    return factors[0] if len(factors) == 1 else Product(tuple(factors))
