r"""Text or LaTeX → formula tree, as written.

    sum     := ["+" | "-"] product (("+" | "-") product)*
    product := power (["*" | "/"] power)*
    power   := atom ("^" exponent | superscript)*
    atom    := number | name | "(" sum ")" | "[" sum "]" | "{" sum "}" | \frac{sum}{sum}
    name    := letter ["_" subscript], or a whole word of the vocabulary (d_model, hidden_size)

Juxtaposition multiplies: `3Edm_e` is 3·E·d·m_e; two numbers need a sign between them. Whatever the grammar does not
know is an error with its column.
"""

from __future__ import annotations

from derive.errors import FormulaError
from derive.formula.tidy import negated
from derive.formula.tokens import Token, tokens
from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum, children
from derive.symbols import BY_NAME, meant_by

DEEPEST = 60
"""Brackets and fractions inside one another."""
HIGHEST = 150
"""Nodes of a tree inside one another, however written."""
LONG_WORD = 5
"""A word of so many letters is a product only of the vocabulary's letters."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_FRACTIONS = {r"\frac", r"\dfrac", r"\tfrac"}
_FUNCTIONS = {
    "sqrt",
    "exp",
    "log",
    "ln",
    "lg",
    "min",
    "max",
    "ceil",
    "floor",
    "round",
    "abs",
    "mod",
    "sum",
    "prod",
    "lim",
    "sin",
    "cos",
    "tan",
    "tanh",
    "softmax",
}
_FONTS = {r"\mathrm", r"\text", r"\textrm", r"\mathit", r"\operatorname", r"\rm"}


def parse(text: str) -> Formula:
    """The formula that `text` writes, in LaTeX, in Unicode or as code.

    Raises `FormulaError`, with the column, where it cannot be read.
    """
    reader = _Reader(text)
    formula = reader.sum()
    reader.expect_end()
    return formula


def parse_equations(text: str) -> tuple[tuple[str, Formula], ...]:
    """`d_kv=d, m=8*d/3` → (("d_kv", d), ("m", 8d/3)): names that are given a value, separated by commas.

    Raises `FormulaError` where a left side is not one name, or stands twice.
    """
    reader = _Reader(text)
    equations: dict[str, Formula] = {}
    while True:
        column = reader.token.column
        left = reader.power()
        if not isinstance(left, Name):
            raise FormulaError("expected a symbol before '='", text, column)
        reader.expect("=", "after the symbol")
        if left.name in equations:
            raise FormulaError(f"{left.name} is given twice", text, column)
        equations[left.name] = reader.sum()
        if reader.token.kind == "end":
            return tuple(equations.items())
        reader.expect(",", "between equations")


class _Reader:
    """A recursive-descent reader over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0
        self.heights: dict[int, int] = {}

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.token
        self.at += 1
        return token

    def is_sign(self, *signs: str) -> bool:
        return self.token.kind == "sign" and self.token.text in signs

    def fail(self, message: str) -> FormulaError:
        return FormulaError(message, self.text, self.token.column)

    def expect(self, sign: str, where: str) -> None:
        if not self.is_sign(sign):
            raise self.fail(f"expected '{sign}' {where}")
        self.take()

    def expect_end(self) -> None:
        if self.token.kind != "end":
            raise self.fail(f"cannot read {self.token.text!r} here")

    def sum(self) -> Formula:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(f"brackets nested more than {DEEPEST} deep")
        terms = [self.signed(first=True)]
        while self.is_sign("+", "-"):
            terms.append(self.signed(first=False))
        self.depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def signed(self, *, first: bool) -> Formula:
        """A term with the sign before it; only the first may go without."""
        minus = self.is_sign("-")
        if minus or not first or self.is_sign("+"):
            self.take()
        term = self.product()
        return negated(term) if minus else term

    def product(self) -> Formula:
        factors = [self.power()]
        divided = False
        while True:
            if self.is_sign("*"):
                self.take()
                factors.append(self.power())
                divided = False
            elif self.is_sign("/"):
                self.take()
                factors = [self.not_too_high(_quotient(_product(factors), self.power()))]
                divided = True
            elif self.starts_factor():
                if divided and not isinstance(factors[0], Number):
                    raise self.fail("ambiguous: write brackets, as in a/(bc) or (a/b)c")
                if self.token.kind == "number" and self.tokens[self.at - 1].kind == "number":
                    raise self.fail("two numbers without a sign between them")
                factors.append(self.power())
            else:
                return _product(factors)

    def starts_factor(self) -> bool:
        kind = self.token.kind
        return kind in ("number", "word", "command") or self.is_sign("(", "[", "{")

    def power(self) -> Formula:
        base, raised = self.atom(), 0
        while self.token.kind == "superscript" or self.is_sign("^"):
            raised += 1
            if raised > 2:
                raise self.fail("a power of a power needs brackets")
            if self.token.kind == "superscript":
                exponent: Formula = self.superscript()
            else:
                self.take()
                exponent = self.exponent()
            base = self.subscript_after(Power(base, exponent))
        return base

    def superscript(self) -> Number:
        text = self.token.text
        if not text.removeprefix("-").isdecimal():
            raise self.fail("cannot read the superscript")
        self.take()
        return Number(int(text))

    def exponent(self) -> Formula:
        """What stands after `^`: a group, a fraction, or a sign and an atom; `d^23` is d to the 23rd."""
        minus = self.is_sign("-")
        if minus:
            self.take()
        atom = self.atom()
        if self.is_sign("^"):
            raise self.fail("a power of a power needs brackets")
        return negated(atom) if minus else atom

    def subscript_after(self, power: Power) -> Formula:
        """`d^2_{kv}`: a subscript that follows the exponent belongs to the base."""
        if self.is_sign("_") and isinstance(power.base, Name) and "_" not in power.base.name:
            self.take()
            return Power(self.named(power.base.name + "_" + self.subscript()), power.exponent)
        return power

    def atom(self) -> Formula:
        token = self.token
        if token.kind == "number":
            return _number(self.take().text)
        if token.kind == "word":
            return self.name()
        if token.kind == "command":
            return self.command()
        if self.is_sign("(", "[", "{"):
            return self.group()
        raise self.fail("expected a number, a symbol or '('" if token.kind != "end" else "the formula ends too early")

    def group(self) -> Formula:
        opening = self.take().text
        inner = self.not_too_high(self.sum())
        self.expect(_CLOSING[opening], f"to close '{opening}'")
        return inner

    def not_too_high(self, formula: Formula) -> Formula:
        """The formula, unless so many of its nodes stand inside one another that no traversal could go through them."""
        if self.height(formula) > HIGHEST:
            raise self.fail(f"divisions and brackets inside one another more than {HIGHEST} deep")
        return formula

    def height(self, formula: Formula) -> int:
        """Nodes inside one another; those of parts that were read before are remembered."""
        if id(formula) not in self.heights:
            self.heights[id(formula)] = 1 + max(map(self.height, children(formula)), default=0)
        return self.heights[id(formula)]

    def command(self) -> Formula:
        command = self.token.text
        if command in _FRACTIONS:
            self.take()
            return _quotient(self.group_after(command), self.group_after(command))
        if command in _FONTS:
            column = self.token.column
            word = self.font()
            if len(word) > 1 and meant_by(word) is None and "_" not in word:
                raise FormulaError(f"unknown word '{word}'", self.text, column)
            return self.named(word)
        raise self.fail(f"cannot read {command}")

    def group_after(self, command: str) -> Formula:
        if not self.is_sign("{"):
            raise self.fail(f"expected '{{' after {command}")
        return self.group()

    def font(self) -> str:
        r"""`\mathrm{attn}` → attn; `\rm attn` takes the word that follows."""
        command = self.take().text
        if self.is_sign("{"):
            self.take()
            word = self.subscript_word()
            self.expect("}", f"to close {command}")
            return word
        if self.token.kind != "word":
            raise self.fail(f"expected a word after {command}")
        return self.take().text

    def name(self) -> Formula:
        """One symbol out of a run of letters: the whole word where the vocabulary has it, else its first letter."""
        token = self.token
        whole = self.whole_word()
        if whole is not None:
            return Name(whole)
        self.refuse_words(token)
        letter, rest = token.text[0], token.text[1:]
        if rest:  # the other letters are symbols of their own
            self.tokens[self.at] = Token("word", rest, token.column + 1)
            return Name(letter)
        self.take()
        if self.is_sign("_"):
            self.take()
            self.end_symbol(letter)
            bare = self.token.kind == "word"
            word = letter + "_" + self.subscript()
            if bare and meant_by(word) is None and self.token.kind == "number" and _touching(self.tokens, self.at):
                word += self.take().text  # M_zero1
            return self.named(word)
        return Name(letter)

    def refuse_words(self, token: Token) -> None:
        """A function's name, or a word that cannot be a product of symbols, is not read letter by letter."""
        if token.text in _FUNCTIONS:
            raise self.fail(f"cannot read the function '{token.text}'")
        if len(token.text) >= LONG_WORD and any(meant_by(letter) is None for letter in token.text):
            raise self.fail(f"unknown word '{token.text}'")

    def end_symbol(self, letter: str) -> None:
        """`d_kvm` is d_kv·m: a bare subscript ends where the vocabulary's symbol ends, if only symbols follow."""
        token = self.token
        if token.kind != "word" or meant_by(f"{letter}_{token.text}") is not None:
            return
        for end in range(len(token.text) - 1, 0, -1):
            subscript, rest = token.text[:end], token.text[end:]
            if f"{letter}_{subscript}" in BY_NAME and all(symbol in BY_NAME for symbol in rest):
                parts = Token("word", subscript, token.column), Token("word", rest, token.column + end)
                self.tokens[self.at : self.at + 1] = parts
                return

    def whole_word(self) -> str | None:
        """The vocabulary's name for the word with underscores that starts here (`hidden_size`), taken if there is one."""
        word, at = self.token.text, self.at + 1
        while self.tokens[at].text == "_" and self.tokens[at + 1].kind in ("word", "number"):
            word += "_" + self.tokens[at + 1].text
            at += 2
            if self.tokens[at].kind == "number" or (self.tokens[at].kind == "word" and _touching(self.tokens, at)):
                break
        name = meant_by(word) if len(self.token.text) > 1 or "_" in word else None
        if name is not None:
            self.at = at
        return name

    def named(self, word: str) -> Name:
        """The name that a word stands for: the vocabulary's own where it is an alias."""
        return Name(meant_by(word) or word)

    def subscript(self) -> str:
        """What stands after `_`: a word, or a braced group of words."""
        if self.is_sign("{"):
            self.take()
            word = self.subscript_word()
            self.expect("}", "to close the subscript")
            return word
        if self.token.kind == "command" and self.token.text in _FONTS:
            return self.font()
        if self.token.kind not in ("word", "number"):
            raise self.fail("expected a subscript after '_'")
        word = self.take().text
        while self.is_sign("_") and self.tokens[self.at + 1].kind in ("word", "number"):
            self.take()
            word += "_" + self.take().text
        return word

    def subscript_word(self) -> str:
        r"""The words up to the closing brace, joined by underscores: `{\mathrm{total,moe}}` → total_moe."""
        words: list[str] = []
        while not self.is_sign("}"):
            if self.token.kind in ("word", "number"):
                words.append(self.take().text)
            elif self.is_sign("_", ","):
                self.take()
            elif self.token.kind == "command" and self.token.text in _FONTS:
                words.append(self.font())
            else:
                raise self.fail("cannot read the subscript")
        if not words:
            raise self.fail("an empty subscript")
        return "_".join(words)


def _touching(found: list[Token], at: int) -> bool:
    """Whether the token at `at` follows the one before it without a space."""
    before = found[at - 1]
    return before.column + len(before.text) == found[at].column


def _number(digits: str) -> Number:
    from fractions import Fraction

    return Number(int(digits) if digits.isdecimal() else Fraction(digits))


def _product(factors: list[Formula]) -> Formula:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def _quotient(numerator: Formula, denominator: Formula) -> Formula:
    """A fraction of two whole numbers in lowest terms is one number; every other quotient stays as written."""
    if isinstance(numerator, Number) and isinstance(denominator, Number):
        from math import gcd

        above, below = numerator.value, denominator.value
        if isinstance(above, int) and isinstance(below, int) and below > 1 and gcd(above, below) == 1:
            from fractions import Fraction

            return Number(Fraction(above, below))
    return Quotient(numerator, denominator)
