r"""One side of a statement, read by recursive descent over its tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from derive.errors import FormulaError
from derive.formula.parse import DEEPEST, HIGHEST
from derive.formula.scan import Token
from derive.formula.statement import Claim, Side, Written
from derive.formula.tidy import negated
from derive.formula.tree import INFINITY, Applied, Formula, Name, Number, Power, Product, Quotient, Sum, children
from derive.formula.units import SINGLE, SYMBOL_LIKE, UNITS, scale
from derive.formula.whole_words import ATTRIBUTE_OWNERS, FUNCTIONS, WHOLE_WORDS
from derive.symbols import meant_by

_CLOSING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}"}
_FRACTIONS = frozenset((r"\frac", r"\dfrac", r"\tfrac", r"\cfrac", r"\nicefrac", r"\sfrac"))
_BRACES = frozenset((r"\underbrace", r"\overbrace", r"\underset", r"\overset", r"\stackrel", r"\underbracket"))
_WRAPPERS = frozenset(
    (r"\boxed", r"\fbox", r"\mathbf", r"\ensuremath", r"\cancel", r"\underline", r"\overline", r"\mathrm", r"\text", r"\bm")
)
_ROUNDINGS = {r"\lfloor": ("floor", r"\rfloor"), r"\lceil": ("ceil", r"\rceil"), "⌊": ("floor", "⌋"), "⌈": ("ceil", "⌉")}
_NAMED_FUNCTIONS = {r"\log": "log", r"\ln": "log", r"\lg": "log", r"\exp": "exp", r"\max": "max", r"\min": "min"}
_GREEK_NAMES = dict(
    zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩϕµ", (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
        "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega phi mu"
    ).split(), strict=True)
)  # fmt: skip
_LOOK_AHEAD = 4
"""How many tokens of kind `end` stand behind a side, so that looking ahead needs no guard."""


class SideReader:
    """Reads the tokens of one side. `choices` are the doubts to be settled the other way."""

    def __init__(self, text: str, tokens: tuple[Token, ...], *, plain: bool, choices: frozenset[str]) -> None:
        self.text = text
        end = tokens[-1].end
        self.tokens = [*tokens, *[Token("end", "", end, end)] * _LOOK_AHEAD]
        self.plain = plain
        self.choices = choices
        self.at = 0
        self.depth = 0
        self.heights: dict[int, int] = {}
        self.units: set[str] = set()
        self.labels: dict[str, str] = {}
        self.doubts: set[str] = set()
        self.remarks: list[str] = []
        self.in_numbers = self.only_numbers()

    # the side as a whole

    def side(self, *, worded: bool = False) -> Side:
        """The side; as one name where it is `worded`."""
        start, end = self.tokens[0].start, self.tokens[-1].end
        text = self.text[start:end]
        label = self.labelled(text) if worded and len(self.tokens) > 1 + _LOOK_AHEAD else self.label()
        if label is not None:
            return Side(label, text, start, end)
        formula = self.sum()
        self.finish()
        if set(formula.names) <= self.units and not _has_number(formula):  # "FLOPs/token": words, not units
            self.units.clear()
            name = formula if isinstance(formula, Name) else self.labelled(text)
            return Side(name, text, start, end)
        return Side(formula, text, start, end, claim_of(formula, self.units), frozenset(self.units))

    def only_numbers(self) -> bool:
        """Whether the side has no letters but scales and units, so that the `B` of `7B` is a scale."""
        before = ""
        for token in self.tokens:
            if token.kind == "word" and token.text not in ("x", "X"):
                if token.text not in UNITS and scale(token.text) is None:
                    return False
                if before not in ("number", "word", "text") and token.text in SINGLE:
                    return False
            if token.kind in ("greek", "sub"):
                return False
            before = token.kind
        return True

    def label(self) -> Name | None:
        r"""Words without an operator are one name: `\\text{Total params}`, `KV cache`, `参数量`."""
        tokens = self.tokens[:-_LOOK_AHEAD]
        if not all(token.kind in ("text", "word", "cjk", "number") or token.text in "_-/()" for token in tokens):
            return None
        words = [
            token
            for token in tokens
            if token.kind in ("text", "cjk") or (token.kind == "word" and len(token.text) > 1 and is_word(token.text))
        ]
        if not words or tokens[0].kind == "number" or (len(tokens) == 1 and tokens[0].kind == "word"):
            return None
        letters = [token for token in tokens if token.kind == "word" and not is_word(token.text)]
        if letters and not self.plain:
            return None
        if any(token.text in "-/" for token in tokens) and not any(token.kind in ("text", "cjk") for token in tokens):
            return None
        if any(token.text == "_" for token in tokens) and len(tokens) <= 6:
            return None
        words_text = " ".join(token.text.strip() for token in tokens if token.text not in "()")
        return self.labelled(words_text)

    def labelled(self, words: str) -> Name:
        """A name that stands for words: spaces left out."""
        name = "".join(words.split()).replace("-", "").replace("/", "")
        if not name:
            raise self.fail("an empty name")
        self.labels[name] = words.strip()
        return Name(name)

    def finish(self) -> None:
        """What is left may be a remark in words, nothing else."""
        rest = self.tokens[self.at : -_LOOK_AHEAD]
        if not rest:
            return
        if rest[0].kind in ("text", "cjk") and all(token.kind in ("text", "cjk", "word") or token.text in "/_-,.()" for token in rest):
            self.remarks.append(self.text[rest[0].start : rest[-1].end])
            return
        raise self.fail(f"cannot read '{rest[0].text}' here")

    # tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def is_sign(self, *signs: str) -> bool:
        return self.token.kind == "sign" and self.token.text in signs

    def fail(self, message: str) -> FormulaError:
        return FormulaError(message, self.text, self.token.start + 1)

    def expect(self, sign: str, where: str) -> None:
        if self.token.text != sign:
            raise self.fail(f"expected '{sign}' {where}")
        self.take()

    # sums and products

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
        minus = self.is_sign("-")
        if minus or not first or self.is_sign("+"):
            self.take()
        term = self.product()
        return negated(term) if minus else term

    def product(self) -> Formula:
        factors = [self.factor()]
        while True:
            if self.is_sign("*"):
                self.take()
                if self.ends_factor():  # "8×": eight times
                    return _product(factors)
                factors.append(self.factor())
            elif self.is_sign("/", "//"):
                whole = self.take().text == "//"
                quotient = Quotient(_product(factors), self.divisor())
                factors = [self.not_too_high(Applied("floor", (quotient,)) if whole else quotient)]
            elif self.is_times():
                self.take()
                if self.ends_factor():
                    return _product(factors)
                factors.append(self.factor())
            elif self.is_note():
                self.skip_note()
            elif self.starts_factor():
                if self.token.kind == "number" and self.tokens[self.at - 1].kind == "number":
                    raise self.fail("two numbers without a sign between them")
                if self.token.kind in ("text", "cjk") and not self.text_is_factor():
                    return _product(factors)
                factors.append(self.factor())
            else:
                return _product(factors)

    def is_note(self) -> bool:
        """`10(norm/dropout) + 24(matmul)`: words in brackets behind a number say what it is."""
        if not (self.plain and self.is_sign("(") and self.at and self.tokens[self.at - 1].kind in ("number", "word", "text")):
            return False
        at, words = self.at + 1, 0
        while self.tokens[at].kind in ("word", "cjk", "text", "number") or self.tokens[at].text in ("/", "-", ",", "_", ".", "'", "!"):
            words += self.tokens[at].kind in ("cjk", "text") or (self.tokens[at].kind == "word" and len(self.tokens[at].text) > 2)
            at += 1
        return (
            self.tokens[at].text == ")"
            and words > 0
            and not any(token.kind == "number" for token in self.tokens[self.at + 1 : self.at + 2])
        )

    def skip_note(self) -> None:
        """Leaves the note out, and keeps its words as a remark."""
        start = self.at
        while not self.is_sign(")"):
            self.take()
        self.take()
        self.remarks.append(self.text[self.tokens[start].start : self.tokens[self.at - 1].end])

    def divisor(self) -> Formula:
        """What a slash divides by: `T/8D` is T/(8D), `d/h h_kv` is (d/h)h_kv; written without a space it holds together."""
        factors = [self.factor()]
        tight = []
        while (
            self.starts_factor()
            and not self.token.spaced
            and not self.is_sign("(", "[")
            and self.token.kind in ("word", "greek", "command")
        ):
            tight.append(self.token)
            if "loose division" in self.choices:
                break
            factors.append(self.factor())
        if tight:
            self.doubts.add("loose division")
        return _product(factors)

    def is_times(self) -> bool:
        """`32 x 4096`, `2 x L x d`: an x between factors."""
        token = self.token
        if token.kind != "word" or token.text not in ("x", "X"):
            return False
        before, after = self.tokens[self.at - 1], self.tokens[self.at + 1]
        numbers = before.kind == "number" and after.kind in ("number", "end")
        spread = token.spaced and (after.spaced or after.kind == "end") and after.kind in ("number", "word", "sign", "text", "end")
        return numbers or spread or (before.kind == "number" and after.kind == "end")

    def ends_factor(self) -> bool:
        return self.token.kind == "end" or self.token.text in (")", "]", "}", "+", "-")

    def starts_factor(self) -> bool:
        kind = self.token.kind
        if kind == "command":
            return self.token.text not in (r"\rfloor", r"\rceil", r"\}")
        return kind in ("number", "word", "greek", "text", "cjk") or self.is_sign(*_CLOSING)

    def text_is_factor(self) -> bool:
        """Whether words behind a factor are multiplied: a unit, or one name of the field; other words are a remark."""
        words = self.token.text.strip()
        if words in UNITS or self.per_unit(words) is not None or meant_by(words) is not None:
            return True
        return self.token.kind == "text" and words.isidentifier() and is_word(words) and self.tokens[self.at + 1].kind != "end"

    # factors

    def factor(self) -> Formula:
        base, raised = self.atom(), 0
        while True:
            if self.token.kind == "super" or self.is_sign("^"):
                raised += 1
                if raised > 2:
                    raise self.fail("a power of a power needs brackets")
                base = self.raised(base)
            elif self.is_sign("%", "‰"):
                base = _scaled(base, self.take().text)
            elif self.is_sign("'"):
                self.take()
            else:
                return base

    def raised(self, base: Formula) -> Formula:
        """`base^{…}`; a star, a dagger or a transposition is part of the name or not read."""
        if self.token.kind == "super":
            power: Formula = Power(base, self.superscript())
        else:
            self.take()
            marked = self.mark(base)
            power = marked if marked is not None else Power(base, self.exponent())
        if (self.is_sign("_") or self.token.kind == "sub") and isinstance(power, Power) and isinstance(power.base, Name):
            return Power(Name(power.base.name + "_" + self.subscript()), power.exponent)  # d^2_{kv}
        return power

    def superscript(self) -> Number | Name:
        text = self.take().text
        if text.removeprefix("-").isdecimal():
            return Number(int(text))
        if text.isalpha() and len(text) == 1:
            return Name(text)
        raise self.fail("cannot read the superscript")

    def mark(self, base: Formula) -> Formula | None:
        """`N^*`, `d^{(l)}`: a mark that makes another name."""
        at = self.at + (self.tokens[self.at].text == "{")
        token = self.tokens[at]
        if isinstance(base, Name) and token.kind in ("sign", "command") and token.text in ("*", r"\ast", r"\star", r"\prime", r"\dagger"):
            self.at = at + 1 + (at > self.at)
            return Name(f"{base.name}_star")
        if token.text in (r"\top", r"\intercal"):
            raise self.fail("a matrix, not a number")
        if isinstance(base, Name) and token.text == "(" and at > self.at and self.tokens[at + 2].text == ")":
            inner = self.tokens[at + 1].text
            if self.tokens[at + 3].text == "}" and not inner.isdecimal():
                self.at = at + 4
                return Name(f"{base.name}_{inner}")
        return None

    def exponent(self) -> Formula:
        minus = self.is_sign("-")
        if minus:
            self.take()
        token = self.token
        if token.kind == "word" and len(token.text) > 1 and not self.plain:
            self.split(1)
        atom = self.atom(exponent=True)
        if self.is_sign("^"):
            raise self.fail("a power of a power needs brackets")
        return negated(atom) if minus else atom

    def atom(self, *, exponent: bool = False) -> Formula:
        token = self.token
        if token.kind == "number":
            return self.number(alone=exponent)
        if token.kind in ("word", "greek"):
            return self.name()
        if token.kind in ("text", "cjk"):
            return self.text_name()
        if token.kind == "command":
            return self.command()
        if self.is_sign(*_CLOSING):
            return self.group()
        if token.text in _ROUNDINGS:
            return self.rounding()
        if self.is_sign("|"):
            return self.absolute()
        raise self.fail("expected a number, a symbol or '('" if token.kind != "end" else "the formula ends too early")

    def group(self) -> Formula:
        opening = self.take().text
        inner = self.not_too_high(self.sum())
        if opening == "(" and self.is_sign(","):
            raise self.fail("a list in brackets, not a product")
        self.expect(_CLOSING[opening], f"to close '{opening}'")
        return inner

    def absolute(self) -> Formula:
        r"""`|W|`, `|\\theta|`: the size of what a name stands for, a name of its own."""
        self.take()
        name = self.name() if self.token.kind in ("word", "greek") else self.text_name()
        self.expect("|", "to close '|'")
        if not isinstance(name, Name):
            raise self.fail("an absolute value")
        return self.with_subscript(name)

    def not_too_high(self, formula: Formula) -> Formula:
        if self.height(formula) > HIGHEST:
            raise self.fail(f"divisions and brackets inside one another more than {HIGHEST} deep")
        return formula

    def height(self, formula: Formula) -> int:
        if id(formula) not in self.heights:
            self.heights[id(formula)] = 1 + max(map(self.height, children(formula)), default=0)
        return self.heights[id(formula)]

    # numbers

    def number(self, *, alone: bool) -> Formula:
        """A number with the scale and the unit behind it."""
        token = self.take()
        value = Written(*_value(token.text))
        if alone:
            return value
        word = self.scale_here()
        if word is not None:
            factor = scale(word) or Fraction(1)
            value = Written(value.value * factor, (value.resolution or Fraction(1)) * factor, word)
        unit = self.unit_here()
        if unit is None:
            self.skip_counted()
            return value
        self.skip_per()
        return Product((value, unit))

    def skip_counted(self) -> None:
        """`20 blocks × 4096`: in plain text, a word behind a number that says what is counted."""
        token, after = self.token, self.tokens[self.at + 1]
        if (
            self.plain
            and token.kind == "word"
            and token.spaced
            and len(token.text) > 3
            and token.text.islower()
            and not is_word(token.text)
        ):
            if after.kind == "end" or after.text in ("*", "+", "-", "/", ")") or after.text in ("x", "X"):
                self.remarks.append(token.text)
                self.take()
                self.skip_per()

    def skip_per(self) -> None:
        """`5.3 GB / sequence`: what a size is counted for, where that is no unit."""
        at = self.at
        ends = self.tokens[at + 2 : at + 3]
        if (
            self.tokens[at].text == "/"
            and self.tokens[at + 1].kind in ("word", "text", "cjk")
            and ends
            and (ends[0].kind == "end" or ends[0].text in "*+-)")
        ):
            word = self.tokens[at + 1].text.strip()
            if len(word) > 2 and word not in UNITS:
                self.remarks.append(f"/{word}")
                self.at += 2

    def scale_here(self) -> str | None:
        r"""The scale behind a number: `124M`, `6.7\\text{B}`, `1750亿`, `3 billion`, `8 Gi`; taken if there is one."""
        token = self.token
        word = token.text.strip()
        if token.kind == "cjk":
            return self.chinese_scale()
        if token.kind == "text" and " " in word and scale(word.split()[0]) is not None:  # "B parameters", "percent more"
            first, _, rest = word.partition(" ")
            self.tokens[self.at] = replace(token, text=rest.strip())
            return first
        if token.kind not in ("word", "text") or scale(word) is None:
            return None
        if word in SINGLE and token.kind == "word":
            raised = self.tokens[self.at + 1].text == "^" or self.tokens[self.at + 1].kind == "super"
            if self.tokens[self.at + 1].text == "_" or self.tokens[self.at + 1].kind == "sub" or (raised and not self.in_numbers):
                return None
            if not self.scale_letter():
                return None
        self.take()
        return word

    def scale_letter(self) -> bool:
        """Whether a letter behind a number scales it; `2B` may be 2·B, which is a doubt where the side has only numbers else."""
        token, digits = self.token, self.tokens[self.at - 1].text
        if token.spaced and not self.in_numbers:
            return False
        if "." in digits or len(digits) > 2:
            return self.tokens[self.at + 1].kind not in ("word", "greek") or self.tokens[self.at + 1].spaced
        if not self.in_numbers:
            return False
        self.doubts.add("letters for scales")
        return "letters for scales" not in self.choices

    def chinese_scale(self) -> str | None:
        """`1750亿参数`: the longest scale that the word begins with; the rest stays."""
        word = self.token.text
        for length in (2, 1):
            if scale(word[:length]) is not None:
                taken = word[:length]
                self.shorten(length)
                return taken
        return None

    def shorten(self, length: int) -> None:
        """Takes the first letters of a token."""
        token = self.token
        if len(token.text) == length:
            self.take()
        else:
            self.tokens[self.at] = replace(token, text=token.text[length:], start=token.start + length, spaced=False)

    def unit_here(self) -> Name | Quotient | None:
        r"""The unit behind a number, taken if there is one: `14 GB`, `14\\text{ GB}`, `312 TFLOP/s`, `2 bytes/param`."""
        token = self.token
        word = token.text.strip(" .,")
        if token.kind == "cjk":
            for length in range(min(len(word), 4), 0, -1):
                if word[:length] in UNITS:
                    self.shorten(length)
                    return self.unit(word[:length])
            return None
        if token.kind not in ("word", "text"):
            return None
        ahead = self.tokens[self.at + 1 : self.at + 3]
        if len(ahead) == 2 and ahead[0].text == "/" and f"{word}/{ahead[1].text.strip()}" in UNITS:
            self.at += 3
            return self.unit(f"{word}/{ahead[1].text.strip()}")
        if token.kind == "text" and self.per_unit(word) is not None:
            self.take()
            return self.per_unit(word, keep=True)
        if token.kind == "text" and " " in word and word.split()[0] in UNITS:
            self.remarks.append(word)
            self.take()
            return self.unit(word.split()[0])
        if word not in UNITS or (word in SYMBOL_LIKE and token.kind == "word" and not (self.in_numbers and len(word) > 1)):
            return self.time_letter(word)
        self.take()
        return self.unit(word)

    def time_letter(self, word: str) -> Name | None:
        """`0.0114 s` at the end of a side of numbers is in seconds."""
        if word in ("s", "h") and self.in_numbers and self.tokens[self.at + 1].kind == "end" and self.plain:
            self.take()
            return self.unit(word)
        return None

    def per_unit(self, words: str, *, keep: bool = False) -> Quotient | Name | None:
        """`bytes/param`, `GB per layer`: a unit per something; the something is dropped where it is not a unit."""
        above, slash, below = words.partition("/")
        if not slash:
            above, slash, below = words.partition(" per ")
        above, below = above.strip(), below.strip(" .")
        if not slash or above not in UNITS:
            return None
        singular = below.removesuffix("s")
        if below in UNITS or singular in UNITS:
            if keep:
                self.units.update((above, below))
            return Quotient(Name(above), Name(below))
        if keep:
            self.units.add(above)
        return Name(above)

    def unit(self, word: str) -> Name:
        self.units.add(word)
        return Name(word)

    # names

    def text_name(self) -> Formula:
        r"""`\text{FLOPs}`, `\mathrm{attn}`, `参数量`: one name, with its subscript; or a unit."""
        token = self.take()
        words = token.text.strip()
        if token.kind == "cjk" and self.plain and self.token.kind == "cjk":
            words += self.take().text
        if words in UNITS and (words not in SYMBOL_LIKE or (self.in_numbers and self.at > 1)):
            return self.unit(words)
        if self.per_unit(words) is not None:
            per = self.per_unit(words, keep=True)
            assert per is not None
            return per
        if words in (*FUNCTIONS, "O") and self.is_sign("("):
            raise self.fail(f"cannot read the function '{words}'")
        if scale(words) is not None and words in SINGLE and self.at > 1 and self.tokens[self.at - 2].text in (")", "}"):
            return Number(scale(words) or 1)
        name = Name(canonical(words)) if _is_name(words) else self.labelled(words)
        return self.with_subscript(name)

    def with_subscript(self, name: Name) -> Name:
        if self.is_sign("_") or self.token.kind == "sub":
            found = Name(f"{name.name}_{self.subscript()}")
            return found
        return name

    def name(self) -> Formula:
        """One symbol out of a run of letters: a whole word where it is one, else its first letter."""
        token = self.token
        if token.kind == "greek":
            self.take()
            return self.with_subscript(Name(token.text))
        owned = self.attribute()
        if owned is not None:
            return owned
        whole = self.whole_word()
        if whole is not None:
            return whole
        if token.text in FUNCTIONS and self.tokens[self.at + 1].text == "(":
            return self.function(token.text)
        if token.text == "O" and self.tokens[self.at + 1].text == "(":
            raise self.fail("an order of growth, not a number")
        letter, rest = token.text[0], token.text[1:]
        if rest:
            self.split(1)
        self.take()
        letter = _GREEK_NAMES.get(letter, letter)
        if not rest and (self.is_sign("_") or self.token.kind == "sub"):
            return Name(f"{letter}_{self.subscript(letter)}")
        if self.is_sign("(") and self.lists_arguments():
            self.skip_group()
        return Name(letter)

    def split(self, length: int) -> None:
        """Parts a word: the letters behind the first stand for themselves."""
        token = self.token
        first = replace(token, text=token.text[:length], end=token.start + length)
        rest = replace(token, text=token.text[length:], start=token.start + length, spaced=False)
        self.tokens[self.at : self.at + 1] = [first, rest]

    def attribute(self) -> Formula | None:
        """`config.hidden_size` is hidden_size."""
        if self.token.text in ATTRIBUTE_OWNERS and self.tokens[self.at + 1].text == "." and self.tokens[self.at + 2].kind == "word":
            self.at += 2
            return self.name()
        return None

    def whole_word(self) -> Name | None:
        """The identifier that starts here (`hidden_size`, `n_layers`, `FLOPs`), taken if it is one word."""
        word, at = self.token.text, self.at + 1
        while self.tokens[at].text == "_" and self.tokens[at + 1].kind in ("word", "number") and not self.tokens[at + 1].spaced:
            word += "_" + self.tokens[at + 1].text
            at += 2
            if self.digits_follow(at):
                word += self.tokens[at].text
                at += 1
            if self.tokens[at].kind == "number" and not self.tokens[at].spaced:
                break
        base = self.token.text
        if "_" not in word and self.plain and len(base) > 1 and self.joins_digits(at):
            word += self.tokens[at].text
            self.at = at + 1
            return Name(word)
        if "_" in word:
            known = meant_by(word) is not None or (is_word(base) and len(base) > 1)
            inner = word.split("_")[1:]
            identifier = len(base) > 1 and self.plain and not _splits(base, inner[0])
            long_parts = len(base) == 1 and len(inner) > 1 and all(len(part) > 1 if self.plain else is_subscript(part) for part in inner)
            if not (known or identifier or long_parts):
                return None
        elif len(word) < 2 or not (is_word(word) or (self.plain and self.is_plain_word(word))):
            return None
        if word in UNITS and word not in SYMBOL_LIKE:
            self.units.add(word)
        self.at = at
        return Name(word)

    def digits_follow(self, at: int) -> bool:
        """`M_zero3`, `M_train_fp32`: digits that touch a subscript of several letters, but for `d_model2`."""
        before, token = self.tokens[at - 1], self.tokens[at]
        touching = token.kind == "number" and token.start == before.end and token.text.isdecimal()
        return touching and before.kind == "word" and len(before.text) > 1 and not is_subscript(before.text)

    def joins_digits(self, at: int) -> bool:
        """`fp16`, `int8`, `H100`: digits that touch a word belong to it."""
        return self.tokens[at].kind == "number" and self.tokens[at].start == self.token.end and not self.token.text[-1:].isspace()

    def is_plain_word(self, word: str) -> bool:
        """In plain text a longer word is a name, unless it is made of a formula's capitals (`BTDNH`)."""
        return (len(word) >= 4 and not word.isupper() and (word.islower() or word.istitle())) or len(word) > 8

    def lists_arguments(self) -> bool:
        """`P(d, L)`: a list of names in brackets behind a name says what it depends on."""
        at, commas = self.at + 1, 0
        while self.tokens[at].kind in ("word", "greek") or self.tokens[at].text in (",", "_", "{", "}"):
            commas += self.tokens[at].text == ","
            at += 1
        return commas > 0 and self.tokens[at].text == ")"

    def skip_group(self) -> None:
        while not self.is_sign(")"):
            self.take()
        self.take()

    def subscript(self, letter: str = "") -> str:
        """What stands after `_`: a word, a letter, or a group of words; parts are joined by underscores."""
        if self.token.kind == "sub":
            return self.take().text
        self.take()
        if self.is_sign("{"):
            return self.subscript_group()
        token = self.token
        if token.kind in ("text", "cjk", "greek"):
            return canonical(self.take().text)
        if token.kind == "command":
            raise self.fail(f"cannot read the subscript {token.text}")
        if token.kind not in ("word", "number"):
            raise self.fail("expected a subscript after '_'")
        if token.kind == "word":
            self.end_subscript(letter)
        word = self.take().text
        if self.digits_follow(self.at):
            word += self.take().text
        while self.is_sign("_") and self.tokens[self.at + 1].kind in ("word", "number") and not self.tokens[self.at + 1].spaced:
            self.take()
            word += "_" + self.take().text
        return word

    def end_subscript(self, letter: str) -> None:
        """`n_hd_h` and `E_sdm` without braces: the subscript is the first letter where the whole is no known word."""
        token = self.token
        word = token.text
        if len(word) == 1 or is_subscript(word) or meant_by(f"{letter}_{word}") is not None:
            return
        following = self.tokens[self.at + 1].text == "_"
        for length in range(len(word) - 1, 0, -1):
            if meant_by(f"{letter}_{word[:length]}") is not None:
                self.split(length)
                return
        if following or not self.plain:
            self.split(1)

    def subscript_group(self) -> str:
        r"""The words between braces, joined: `{\\mathrm{total,moe}}` → total_moe."""
        self.take()
        words: list[str] = []
        depth = 1
        while True:
            token = self.take()
            if token.kind == "end":
                raise self.fail("expected '}' to close the subscript")
            depth += (token.text == "{") - (token.text == "}")
            if depth == 0:
                break
            if token.kind == "number" and words and self.tokens[self.at - 2].kind == "word" and token.start == self.tokens[self.at - 2].end:
                words[-1] += token.text
            elif token.kind in ("text", "cjk", "word", "number", "greek", "sub", "super"):
                words.append(canonical(token.text))
            elif token.text == "+":
                words.append("plus")
        if not words:
            raise self.fail("an empty subscript")
        return "_".join(words)

    # commands

    def command(self) -> Formula:
        command = self.token.text
        if command in _FRACTIONS:
            return self.fraction()
        if command == r"\sqrt":
            return self.root()
        if command in _BRACES:
            return self.braced(command)
        if command in _WRAPPERS:
            self.take()
            return self.argument(command)
        if command in (r"\sum", r"\prod"):
            return self.series(command)
        if command == r"\lim":
            return self.limit()
        if command in _ROUNDINGS:
            return self.rounding()
        if command in _NAMED_FUNCTIONS:
            return self.function(_NAMED_FUNCTIONS[command])
        if command == r"\infty":
            self.take()
            return INFINITY
        if command == r"\textcolor":
            self.take()
            self.skip_braces()
            return self.argument(command)
        raise self.fail(f"cannot read {command}")

    def skip_braces(self) -> None:
        """Leaves out a group in braces."""
        if self.is_sign("{"):
            depth = 0
            while True:
                token = self.take()
                depth += (token.text == "{") - (token.text == "}")
                if depth == 0 or token.kind == "end":
                    return

    def argument(self, command: str) -> Formula:
        r"""The argument of a command: a group, or one letter or digit (`\\frac12`)."""
        if self.is_sign("{"):
            return self.group()
        token = self.token
        if token.kind == "number" and len(token.text) > 1 and token.text.isdecimal():
            self.split(1)
            return Number(int(self.take().text))
        if token.kind in ("number", "word", "greek", "text"):
            if token.kind == "word" and len(token.text) > 1:
                self.split(1)
            return self.atom(exponent=True)
        raise self.fail(f"expected '{{' after {command}")

    def fraction(self) -> Formula:
        command = self.take().text
        derivative = self.derivative()
        if derivative is not None:
            return derivative
        above = self.argument(command)
        return self.not_too_high(Quotient(above, self.argument(command)))

    def derivative(self) -> Formula | None:
        r"""`\frac{\partial P}{\partial d}`, taken if it stands here."""
        words: list[str] = []
        at, d = self.at, "partial"
        for _ in range(2):
            if self.tokens[at].text != "{":
                return None
            at += 1
            sign = self.tokens[at]
            if sign.text == r"\partial":
                at += 1
            elif sign.kind == "text" and sign.text == "d":
                at, d = at + 1, "total"
            else:
                return None
            saved = self.at
            self.at = at
            if self.token.kind not in ("word", "greek", "text"):
                self.at = saved
                return None
            name = self.name() if self.token.kind != "text" else self.text_name()
            at, self.at = self.at, saved
            if not isinstance(name, Name) or self.tokens[at].text != "}":
                return None
            words.append(name.name)
            at += 1
        self.at = at
        return Applied(d, (Name(words[0]), Name(words[1])))

    def root(self) -> Formula:
        self.take()
        degree = 2
        if self.is_sign("["):
            self.take()
            if not self.token.text.isdecimal():
                raise self.fail("expected the degree of the root")
            degree = int(self.take().text)
            self.expect("]", "to close the degree")
        inside = self.argument(r"\sqrt") if not self.is_sign("(") else self.group()
        return Applied("sqrt", (inside,)) if degree == 2 else Power(inside, Number(Fraction(1, max(degree, 1))))

    def braced(self, command: str) -> Formula:
        r"""`\underbrace{4d^2}_{\text{attention}}`: the label is kept as a remark."""
        self.take()
        if command in (r"\underset", r"\overset", r"\stackrel"):
            self.skip_braces()
            return self.argument(command)
        inside = self.argument(command)
        if self.is_sign("_", "^"):
            self.take()
            start = self.token.start
            if self.is_sign("{"):
                self.skip_braces()
            else:
                self.take()
            self.remarks.append(self.text[start : self.tokens[self.at - 1].end])
        return inside

    def series(self, command: str) -> Formula:
        r"""`\sum_{\ell=1}^{L} 12 d^2`: a sum over an index, its body up to the next plus or minus."""
        if command == r"\prod":
            raise self.fail(r"cannot read \prod")
        self.take()
        index, lower, upper = self.bounds()
        body = self.product()
        return Applied("sum", (body, index, lower, upper))

    def bounds(self) -> tuple[Name, Formula, Formula]:
        lower: Formula | None = None
        upper: Formula | None = None
        index: Formula | None = None
        while self.is_sign("_", "^"):
            if self.take().text == "^":
                upper = self.argument(r"\sum")
                continue
            self.expect("{", "after the sum")
            index = self.name() if self.token.kind in ("word", "greek") else self.text_name()
            if self.token.text != "=":
                raise self.fail("expected '=' in the bounds of the sum")
            self.take()
            lower = self.sum()
            self.expect("}", "to close the bounds of the sum")
        if not isinstance(index, Name) or lower is None or upper is None:
            raise self.fail("a sum without bounds")
        return index, lower, upper

    def limit(self) -> Formula:
        r"""`\lim_{d \to \infty} f`."""
        self.take()
        self.expect("_", r"after \lim")
        self.expect("{", r"after \lim")
        name = self.name()
        if self.token.text != "→":
            raise self.fail("expected an arrow in the limit")
        self.take()
        target = self.sum()
        self.expect("}", "to close the limit")
        if target != INFINITY:
            raise self.fail("only limits at infinity are read")
        return Applied("limit", (self.product(), name))

    def rounding(self) -> Formula:
        name, closing = _ROUNDINGS[self.take().text]
        inside = self.sum()
        self.expect(closing, f"to close the {name}")
        return Applied(name, (inside,))

    def function(self, name: str) -> Formula:
        """`log(x)`, `max(a, b)`, `ceil(V/64)`."""
        readers: dict[str, Callable[[list[Formula]], Formula]] = {
            "ceil": lambda found: Applied("ceil", tuple(found)),
            "floor": lambda found: Applied("floor", tuple(found)),
            "sqrt": lambda found: Applied("sqrt", tuple(found)),
            "log": lambda found: Applied("log", tuple(found)),
            "max": lambda found: Applied("max", tuple(found)),
            "min": lambda found: Applied("min", tuple(found)),
        }
        if name not in readers:
            raise self.fail(f"cannot read the function '{name}'")
        self.take()
        if name == "log" and self.is_sign("_"):
            raise self.fail("a logarithm to another base")
        if not self.is_sign("(", "{", "["):
            return readers[name]([self.factor()])
        closing = _CLOSING[self.take().text]
        found = [self.sum()]
        while self.is_sign(","):
            self.take()
            found.append(self.sum())
        self.expect(closing, f"to close {name}")
        return readers[name](found)


def is_word(word: str) -> bool:
    """Whether a run of letters is one name of the field."""
    return word.lower() in WHOLE_WORDS or (word in UNITS and len(word) > 1) or meant_by(word) is not None


_SUBSCRIPTS = frozenset(
    "model kv head heads layer layers ff ffn mlp attn attention vocab ctx emb embed total params param active dense moe experts expert seq "
    "tokens batch hidden max min tot all act lin block norm out in enc dec pos rope nope lora gpu gpus mem bw comp qk qkv router shared routed "
    "inner expand state conv dim size opt star eff train infer kvhead".split()
)


def is_subscript(word: str) -> bool:
    """Whether letters behind an underscore are one subscript."""
    return word.lower() in _SUBSCRIPTS


def canonical(words: str) -> str:
    """A word as part of a name: without spaces and hyphens; Greek letters by name."""
    joined = "_".join(words.replace("-", " ").replace(",", " ").replace("/", " ").split())
    joined = joined.strip("_") or "".join(words.split())
    return "".join(_GREEK_NAMES.get(letter, letter) for letter in joined)


def _is_name(words: str) -> bool:
    """One word: letters, digits and underscores."""
    return words.replace("_", "").replace("-", "").isalnum()


def _splits(base: str, subscript: str) -> bool:
    """Whether `Ld_model` is L·d_model: the last letter with the subscript is a symbol, and those before are letters."""
    return len(base) <= 4 and meant_by(f"{base[-1]}_{subscript}") is not None and meant_by(f"{base}_{subscript}") is None


def _value(digits: str) -> tuple[Fraction | int, Fraction | None]:
    """The value of the digits, and one unit of the last; None for a whole number."""
    if digits.isdecimal():
        return int(digits), None
    mantissa, _, exponent = digits.lower().partition("e")
    power = int(exponent or 0)
    decimals = len(mantissa.partition(".")[2])
    return Fraction(digits), Fraction(10) ** (power - decimals)


def _scaled(base: Formula, word: str) -> Formula:
    """A number in hundredths or thousandths."""
    factor = scale(word) or Fraction(1)
    if isinstance(base, Written):
        return Written(base.value * factor, (base.resolution or Fraction(1)) * factor, word)
    return Product((base, Number(factor)))


def _has_number(formula: Formula) -> bool:
    return isinstance(formula, Number) or any(_has_number(child) for child in children(formula))


def _product(factors: list[Formula]) -> Formula:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def claim_of(formula: Formula, units: set[str]) -> Claim | None:
    """What the digits of a side claim, where the side is one written number, with a power of ten and a unit or without."""
    negative = False
    unit = ""
    factors = list(formula.factors) if isinstance(formula, Product) else [formula]
    flat: list[Formula] = []
    for factor in factors:
        flat.extend(factor.factors if isinstance(factor, Product) else (factor,))
    written: Written | None = None
    power = Fraction(1)
    for factor in flat:
        if isinstance(factor, Written) and written is None:
            written = factor
        elif isinstance(factor, Number) and factor.value in (-1,):
            negative = True
        elif isinstance(factor, Power) and isinstance(factor.base, Number) and factor.base.value == 10 and written is not None:
            exponent = factor.exponent
            if not isinstance(exponent, Number) or not isinstance(exponent.value, int) or abs(exponent.value) > 60:
                return None
            power *= Fraction(10) ** exponent.value
        elif isinstance(factor, Name) and factor.name in units and not unit:
            unit = factor.name
        elif isinstance(factor, Quotient) and all(name in units for name in factor.names) and not unit:
            unit = "/".join(factor.names)
        else:
            return None
    if written is None:
        return None
    resolution = (written.resolution if written.resolution is not None else Fraction(1)) * power
    value = written.value * power * (-1 if negative else 1)
    if "/" in unit and all(UNITS[word].kind == "count" for word in unit.split("/")[1:] if word in UNITS):
        unit = unit.split("/")[0]
    full = written.resolution is None and power == 1 and (unit not in UNITS or UNITS[unit].factor == 1)
    return Claim(Fraction(value), resolution, written.scale, unit, full)
