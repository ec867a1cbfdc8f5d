r"""Text or LaTeX → formula tree, as written, in the vocabulary's names.

    sum     := ["+" | "-"] product (("+" | "-") product)*
    product := factor (["*" | "/"] factor)*
    factor  := atom ("^" exponent | superscript)*
    atom    := number | name | "(" sum ")" | "[" sum "]" | "{" sum "}" | \frac{sum}{sum}
    name    := letter ["_" subscript], or a whole word of the vocabulary (d_model, hidden_size)

Juxtaposition multiplies: `3Edm_e` is 3·E·d·m_e; two numbers need a sign between them. Whatever the grammar does not
know is an error with its column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.errors import FormulaError
from derive.formula.recursion import Recursion, product_of
from derive.formula.signs import CLOSING
from derive.formula.strict import strict_tokens
from derive.formula.subscripts import canonical, read_group
from derive.formula.tree import Formula, Name, Number, Quotient
from derive.symbols import BY_NAME, meant_by

if TYPE_CHECKING:
    from derive.formula.tokens import Token

LONG_WORD = 5
"""A word of so many letters is a product only of the vocabulary's letters."""

_FRACTIONS = frozenset((r"\frac", r"\dfrac", r"\tfrac"))
_FACTOR_KINDS = frozenset(("number", "word", "text", "command", "(", "[", "{"))
_FUNCTIONS = frozenset("sqrt exp log ln lg min max ceil floor round abs mod sum prod lim sin cos tan tanh softmax".split())


def parse(text: str) -> Formula:
    """The formula that `text` writes, in LaTeX, in Unicode or as code.

    Raises `FormulaError`, with the column, where it cannot be read.
    """
    reader = _Reader(text, strict_tokens(text))
    formula = reader.sum()
    if reader.token.kind != "end":
        raise reader.fail(f"cannot read {reader.token.text!r} here")
    return formula


def parse_equations(text: str) -> tuple[tuple[str, Formula], ...]:
    """`d_kv=d, m=8*d/3` → (("d_kv", d), ("m", 8d/3)): names that are given a value, separated by commas.

    Raises `FormulaError` where a left side is not one name, or stands twice.
    """
    reader = _Reader(text, strict_tokens(text))
    equations: dict[str, Formula] = {}
    while True:
        column = reader.token.start + 1
        left = reader.factor()
        if not isinstance(left, Name):
            raise FormulaError("expected a symbol before '='", text, column)
        reader.expect("=", "after the symbol")
        if left.name in equations:
            raise FormulaError(f"{left.name} is given twice", text, column)
        equations[left.name] = reader.sum()
        if reader.token.kind == "end":
            return tuple(equations.items())
        reader.expect(",", "between equations")


class _Reader(Recursion):
    """Reads the vocabulary's names; words that it does not know are errors."""

    known_to = 0
    """Up to here, words were found to be products of the vocabulary's letters."""

    def product(self) -> Formula:
        factors = [self.factor()]
        divided = False
        while True:
            kind = self.token.kind
            if kind == "/":
                self.take()
                factors = [self.not_too_high(_quotient(product_of(factors), self.factor()))]
                divided = True
                continue
            if kind == "*":
                self.take()
                divided = False
            elif kind not in _FACTOR_KINDS:
                return product_of(factors)
            elif divided and not isinstance(factors[0], Number):
                raise self.fail("ambiguous: write brackets, as in a/(bc) or (a/b)c")
            elif kind == "number" and self.before().kind == "number":
                raise self.fail("two numbers without a sign between them")
            factors.append(self.factor())

    def atom(self, *, exponent: bool = False) -> Formula:
        token = self.token
        if token.kind == "word":
            return self.name()
        if token.kind == "number":
            return _number(self.take().text)
        if token.kind == "text":
            return self.word_in_a_font()
        if token.kind in CLOSING:
            return self.group()
        if token.kind == "command" and token.text in _FRACTIONS:
            self.take()
            return _quotient(self.group_after(token.text), self.group_after(token.text))
        if token.kind == "command":
            raise self.fail(f"cannot read {token.text}")
        raise self.fail("the formula ends too early" if token.kind == "end" else "expected a number, a symbol or '('")

    def group_after(self, command: str) -> Formula:
        """The group in braces that a command is applied to."""
        if self.token.kind != "{":
            raise self.fail(f"expected '{{' after {command}")
        return self.group()

    # names

    def word_in_a_font(self) -> Name:
        r"""`\mathrm{vocab\_size}`: a name of the vocabulary."""
        word = "_".join(self.token.text.replace(",", " ").split())
        if len(word) > 1 and meant_by(word) is None and "_" not in word:
            raise self.fail(f"unknown word '{word}'")
        self.take()
        return self.subscripted(Name(word)) if self.token.kind == "_" else _named(word)

    def name(self) -> Name:
        """One symbol out of a run of letters: the whole word where the vocabulary has it, else its first letter."""
        whole = self.whole_word()
        if whole is not None:
            return Name(whole)
        self.refuse_words()
        if len(self.token.text) > 1:  # the other letters are symbols of their own
            self.split(1)
            return Name(self.take().text)
        letter = Name(self.take().text)
        return self.subscripted(letter) if self.token.kind == "_" else letter

    def refuse_words(self) -> None:
        """A function's name, or a word that cannot be a product of symbols, is not read letter by letter."""
        token = self.token
        if token.text in _FUNCTIONS:
            raise self.fail(f"cannot read the function '{token.text}'")
        if token.start < self.known_to:
            return
        if len(token.text) >= LONG_WORD and any(meant_by(letter) is None for letter in token.text):
            raise self.fail(f"unknown word '{token.text}'")
        self.known_to = token.end

    def whole_word(self) -> str | None:
        """The vocabulary's name for the word with underscores that starts here (`hidden_size`), taken if there is one."""
        tokens, at = self.tokens, self.at + 1
        word = self.token.text
        while tokens[at].kind == "_" and tokens[at + 1].kind in ("word", "number"):
            word += "_" + tokens[at + 1].text
            at += 2
            if tokens[at].kind == "number" or (tokens[at].kind == "word" and _touching(tokens[at - 1], tokens[at])):
                break
        name = meant_by(word) if len(word) > 1 else None
        if name is not None:
            self.go(at)
        return name

    def subscripted(self, name: Name) -> Name:
        """The name with the subscript that stands here: a word, or a group of words."""
        self.take()
        kind = self.token.kind
        if kind == "{":
            return _named(f"{name.name}_{read_group(self)}")
        if kind == "text":
            return _named(f"{name.name}_{canonical(self.take().text)}")
        if kind not in ("word", "number"):
            raise self.fail("expected a subscript after '_'")
        if kind == "word":
            self.end_symbol(name.name)
        word = f"{name.name}_{self.take().text}"
        while self.token.kind == "_" and self.ahead().kind in ("word", "number"):
            self.take()
            word += "_" + self.take().text
        if kind == "word" and self.token.kind == "number" and meant_by(word) is None and _touching(self.before(), self.token):
            word += self.take().text  # M_zero1
        return _named(word)

    def end_symbol(self, letter: str) -> None:
        """`d_kvm` is d_kv·m: a bare subscript ends where the vocabulary's symbol ends, if only symbols follow."""
        word = self.token.text
        if meant_by(f"{letter}_{word}") is not None:
            return
        for end in range(min(len(word), _LONGEST_SUBSCRIPT + 1) - 1, 0, -1):
            if f"{letter}_{word[:end]}" in BY_NAME and all(symbol in BY_NAME for symbol in word[end:]):
                self.split(end)
                return


_LONGEST_SUBSCRIPT = max(len(name) for name in BY_NAME)


def _named(word: str) -> Name:
    """The name that a word stands for: the vocabulary's own where it is an alias."""
    return Name(meant_by(word) or word)


def _touching(before: Token, token: Token) -> bool:
    """Whether a token follows another without a space."""
    return before.end == token.start


def _number(digits: str) -> Number:
    if digits.isdecimal():
        return Number(int(digits))
    from fractions import Fraction

    return Number(Fraction(digits))


def _quotient(numerator: Formula, denominator: Formula) -> Formula:
    """A fraction of two whole numbers in lowest terms is one number; every other quotient stays as written."""
    if isinstance(numerator, Number) and isinstance(denominator, Number):
        from math import gcd

        above, below = numerator.value, denominator.value
        if isinstance(above, int) and isinstance(below, int) and below > 1 and gcd(above, below) == 1:
            from fractions import Fraction

            return Number(Fraction(above, below))
    return Quotient(numerator, denominator)
