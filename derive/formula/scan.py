r"""Formulas as people write them in documents → tokens with their places: LaTeX, Unicode and code in one notation.

Bounded, and linear in the length of the text. The text of a font (`\text{KV cache}`, `\mathrm{attn}`) is one token.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from derive.errors import FormulaError
from derive.formula.signs import (
    ACCENTS,
    FONTS,
    FORMULA_FONTS,
    FULL_WIDTH,
    GAPS,
    GREEK,
    RELATIONS,
    SAME_SIGN,
    SIGN_COMMANDS,
    SILENT,
    SILENT_WITH_GROUP,
    SPACES,
    SWITCHES,
    WORD_FONTS,
)

MOST_CHARACTERS = 10_000
MOST_DIGITS = 3_000


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

_WORD = re.compile(r"[A-Za-z\u00b5\u0370-\u03ff\u1f00-\u1fff]+")
_SPACE = re.compile(r"(?:[\s\u200b\ufeff]|\\[,;:!>/ -])+")
_DIGITS = re.compile(r"[0-9]+")
_GROUP = r"(?:,|\{,\}|\\[,;:\ ]|\{\\,\}|\\!|\{,\\!\}|,\\!|[\u2009\u202f\u00a0_，'])"
_NUMBER = re.compile(
    rf"""[0-9]{{1,3}} (?:{_GROUP}[0-9]{{3}})+ (?![0-9]) (?:\.[0-9]+)? (?:[eE][+-]?[0-9]+)?
       | [0-9]{{1,3}} (?:[ ][0-9]{{3}}){{2,}} (?![0-9]) (?:\.[0-9]+)?
       | [0-9]{{1,3}},[ ][0-9]{{3}} (?![0-9,]) (?!\s*[0-9])
       | [0-9]++ (?:\.[0-9]++)? (?:e[+-]?[0-9]++ | E[+-][0-9]++)? (?![A-Za-z0-9]*_)
       | [0-9]+ (?:\.[0-9]+)? | \.[0-9]+""",
    re.VERBOSE,
)
_LONGER_NUMBER = frozenset(".,{\\eE_' \u2009\u202f\u00a0，")
"""What may stand in a number behind its first digits."""

_COMMAND = re.compile(r"\\(?:[A-Za-z]+\*?|[{}%$#&_|])")
_ROW = re.compile(r"\\\\(?:\[[^\[\]]{0,20}\])?")
_MICRO = re.compile(r"\\mu\s*(?:\\(?:text|mathrm|rm)\s*\{\s*s\s*\}|s(?![A-Za-z]))")
_BRACED = re.compile(r"\{\s*([-+=*/<>≈×]|\\(?:times|cdot|approx|sim|leq?|geq?|div)(?![A-Za-z]))\s*\}")
_GAP_WIDTH = re.compile(r"\{[^{}]{0,40}\}")
_LONGEST_RELATION = 3
_TWO_LETTER_SIGNS = frozenset(("**", "//"))
_SIGNS = frozenset("-*/.:!·×÷−⋅∗•⨯✕–—‒√∑∂∞‰、。⌊⌋⌈⌉")
_SIMPLE_SIGNS = frozenset("+^_()[]}|,;%'")
"""Signs that no longer one begins with."""

_SUPERS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵈ", "0123456789-+nd", strict=True))
_SUBS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx", strict=True))
_DIGIT_FOLLOWS = re.compile(r"\s*[0-9]")
_POINT_FOR_TIMES = re.compile(r"\.\s?[A-Za-z\\0-9(]")
_PLAIN_TEXT = re.compile(r"[^\\{}^$&]*\Z")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_ESCAPED_IN_TEXT = {
    r"\_": "_", r"\%": "%", r"\ ": " ", r"\,": " ", "~": " ", r"\&": "&", r"\#": "#", r"\times": "×", r"\-": "", r"\/": "", "{,}": ",",
}  # fmt: skip


def scan(text: str) -> list[Token]:
    """The tokens of `text`, ended by one of kind `end`.

    Raises `FormulaError` for a character that no formula has, and beyond the bounds.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"longer than {MOST_CHARACTERS} characters", text)
    return _Scanner(text).tokens()


class _Scanner:
    """One pass over a text; the first character of each piece says how to read it."""

    def __init__(self, text: str) -> None:
        self.text = text if text.isascii() else text.translate(FULL_WIDTH)
        self.at = 0
        self.spaced = False
        self.found: list[Token] = []
        self.braces: dict[int, int] | None = None

    def tokens(self) -> list[Token]:
        text, size, found = self.text, len(self.text), self.found
        while (at := self.at) < size:
            letter = text[at]
            if letter in _SIMPLE_SIGNS:
                found.append(new_token((letter, letter, at, at + 1, self.spaced)))
                self.at = at + 1
                self.spaced = False
            else:
                _READERS.get(letter, _Scanner.other)(self)
        self.add("end", "", size)
        return found

    def add(self, kind: str, text: str, end: int) -> None:
        """A token that stands up to `end`."""
        self.found.append(new_token((kind, text, self.at, end, self.spaced)))
        self.at = end
        self.spaced = False

    def sign(self, sign: str, end: int) -> None:
        self.add("command" if sign[0] == "\\" else sign, sign, end)  # ∑ is the command \sum

    def fail(self, message: str) -> FormulaError:
        return FormulaError(message, self.text, self.at + 1)

    def space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match is not None else self.at + 1
        self.spaced = True

    def word(self) -> None:
        match = _WORD.match(self.text, self.at)
        assert match is not None
        word = match.group()
        self.add("word", word, self.at + len(word))

    def brace(self) -> None:
        """A brace, or an operator in braces: it has the spacing of a letter."""
        match = _BRACED.match(self.text, self.at)
        if match is not None:
            piece = match.group(1)
            if piece in RELATIONS:
                self.add("relation", RELATIONS[piece], match.end())
            else:
                self.sign(SIGN_COMMANDS.get(piece, SAME_SIGN.get(piece, piece)), match.end())
        elif self.text.startswith("{}", self.at):
            self.at += 2
            self.spaced = True
        else:
            self.add("{", "{", self.at + 1)

    def other(self) -> None:
        """A relation, Chinese words, superscripts, and signs that have several characters or are none of ASCII."""
        text, at = self.text, self.at
        letter = text[at]
        relation = self.relation()
        if relation:
            self.add("relation", RELATIONS[relation], at + len(relation))
        elif _is_chinese(letter):
            self.chinese()
        elif letter in _SUPERS:
            self.raised_or_lowered("super", _SUPERS)
        elif letter in _SUBS:
            self.raised_or_lowered("sub", _SUBS)
        elif text[at : at + 2] in _TWO_LETTER_SIGNS:
            self.sign(SAME_SIGN.get(text[at : at + 2], "//"), at + 2)
        elif letter in _SIGNS:
            self.sign(SAME_SIGN.get(letter, letter), at + 1)
        elif letter == "~":
            self.at, self.spaced = at + 1, True
        else:
            self.space_or_word()

    def relation(self) -> str:
        """The relation that begins here; a tilde or `约` is one before a number."""
        text, at = self.text, self.at
        for length in range(_LONGEST_RELATION, 0, -1):
            piece = text[at : at + length]
            if piece in RELATIONS and (piece not in ("~", "约") or _DIGIT_FOLLOWS.match(text, at + 1)):
                return piece
        return ""

    def chinese(self) -> None:
        """Chinese words, up to one that is a relation."""
        text, start = self.text, self.at
        while self.at < len(text) and _is_chinese(text[self.at]) and not self.relation():
            self.at += 1
        end, self.at = self.at, start
        self.add("cjk", text[start:end], end)

    def raised_or_lowered(self, kind: str, letters: dict[str, str]) -> None:
        end = self.at
        while end < len(self.text) and self.text[end] in letters:
            end += 1
        if end - self.at > MOST_DIGITS:
            raise self.fail(f"a number of more than {MOST_DIGITS} digits")
        self.add(kind, "".join(letters[letter] for letter in self.text[self.at : end]), end)

    def space_or_word(self) -> None:
        if _SPACE.match(self.text, self.at):
            self.space()
        elif _WORD.match(self.text, self.at):
            self.word()
        else:
            raise self.fail(f"cannot read {self.text[self.at]!r}")

    # numbers

    def number(self) -> None:
        """A number without its digit groups; `2.4.d` is 2·4·d."""
        text = self.text
        match = _DIGITS.match(text, self.at)
        if match is not None and match.end() - self.at <= MOST_DIGITS and text[match.end() : match.end() + 1] not in _LONGER_NUMBER:
            self.add("number", match.group(), match.end())
            return
        match = _NUMBER.match(text, self.at)
        if match is None:
            self.other()  # a point that begins no number
            return
        piece, end = match.group(), match.end()
        if not piece.isdecimal():
            if "." in piece and "," not in piece and _POINT_FOR_TIMES.match(text, end):
                self.points_for_times(piece, end)
                return
            piece = re.sub(r"[^0-9.eE+-]", "", piece)
        mantissa, _, exponent = piece.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or (exponent and abs(int(exponent)) > MOST_DIGITS):
            raise self.fail(f"a number of more than {MOST_DIGITS} digits")
        self.add("number", piece, end)

    def points_for_times(self, piece: str, end: int) -> None:
        whole, _, part = piece.partition(".")
        if max(len(whole), len(part)) > MOST_DIGITS:
            raise self.fail(f"a number of more than {MOST_DIGITS} digits")
        self.add("number", whole or "0", self.at + len(whole))
        self.add("*", "*", self.at + 1)
        self.add("number", part, end)
        self.add("*", "*", end + 1)

    # commands

    def command(self) -> None:
        text = self.text
        match = _COMMAND.match(text, self.at)
        if match is None:
            self.row_or_space()
            return
        command, end = match.group(), match.end()
        if command in SIGN_COMMANDS:
            self.add(SIGN_COMMANDS[command], SIGN_COMMANDS[command], end)
        elif command in RELATIONS:
            self.add("relation", RELATIONS[command], end)
        elif command in FONTS:
            self.font(command, end)
        elif command in SWITCHES:
            self.next_word(end)
        elif command in SILENT or command.rstrip("*") in SILENT:
            self.silent(command, end)
        elif command in GREEK:
            micro = _MICRO.match(text, self.at) if command == r"\mu" else None
            if micro is not None:
                self.add("text", "us", micro.end())
            else:
                self.add("greek", command[1:], end)
        elif command in ACCENTS:
            self.accent(command, end)
        else:
            self.layout(command, end)

    def layout(self, command: str, end: int) -> None:
        """A gap, a row, a label, or a command that the reader knows."""
        if command in GAPS:
            width = _GAP_WIDTH.match(self.text, end) if command.startswith(r"\hspace") else None
            self.add("gap", command, width.end() if width is not None else end)
        elif command in SPACES:
            self.at, self.spaced = end, True
        elif command in (r"\newline", r"\cr"):
            self.add("row", command, end)
        elif command in SILENT_WITH_GROUP:
            self.at = self.behind_group(end) or end
        else:
            self.add("command", command, end)

    def row_or_space(self) -> None:
        row = _ROW.match(self.text, self.at)
        if row is not None:
            self.add("row", row.group(), row.end())
        else:
            self.space_or_word()

    def silent(self, command: str, end: int) -> None:
        r"""Left out; with its point, as in `\left.` and `\right.`."""
        point = command in (r"\left", r"\right") and self.text.startswith(".", end)
        self.at = end + point

    def behind_group(self, at: int) -> int | None:
        """The place behind the group that begins at `at`, after spaces; None where none does."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if not self.text.startswith("{", at):
            return None
        if self.braces is None:
            self.braces = _matched_braces(self.text)
        if at not in self.braces:
            raise FormulaError("expected '}'", self.text, at + 1)
        return self.braces[at] + 1

    def font(self, command: str, end: int) -> None:
        r"""`\text{KV cache}` as one token; a font around a formula (`\mathbf{W}_Q`, `\mathrm{12 L d^2}`) is left out."""
        behind = self.behind_group(end)
        if behind is None:  # a font without braces takes the next letter or word
            self.next_word(end)
            return
        words = self.text[self.text.index("{", end) + 1 : behind - 1]
        if "\\" in words or "~" in words or "{" in words:
            for escaped, meant in _ESCAPED_IN_TEXT.items():
                words = words.replace(escaped, meant)
        stripped = words.strip()
        if not stripped:
            self.at, self.spaced = behind, True
        elif stripped in (",", ";", ":", ".", "、", ".:"):
            self.sign(SAME_SIGN.get(stripped, stripped), behind)
        elif command in FORMULA_FONTS or stripped[0].isdigit():
            self.at = end
        elif _PLAIN_TEXT.match(words):
            self.add("text", words, behind)
        elif command in WORD_FONTS:
            self.add("text", re.sub(r"\\[A-Za-z]+|[{}$^\\]", "", words), behind)
        else:
            self.at = end

    def next_word(self, end: int) -> None:
        r"""`\rm total`, `\mathrm d`: the word or letter that follows is one token."""
        while end < len(self.text) and self.text[end].isspace():
            end += 1
        start, self.at = self.at, end
        match = _WORD.match(self.text, end)
        if match is not None:
            self.at = start
            self.add("text", match.group(), match.end())

    def accent(self, command: str, end: int) -> None:
        r"""`\tilde{d}` is a name of its own: d_tilde; an accent over more than a letter is left out."""
        behind = self.behind_group(end)
        if behind is None:
            behind = end + len(self.text[end:]) - len(self.text[end:].lstrip()) + 1
        inner = self.text[end:behind].strip(" {}")
        if inner.isalpha() and len(inner) == 1:
            self.add("text", f"{inner}_{command[1:]}", behind)
        else:
            self.at = end


def _is_chinese(letter: str) -> bool:
    return "\u4e00" <= letter <= "\u9fff"


def _matched_braces(text: str) -> dict[int, int]:
    """For each brace that is closed, the place of the one that closes it."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACES.finditer(text):
        if match.group() == "{":
            opened.append(match.start())
        elif match.group() == "}" and opened:
            found[opened.pop()] = match.start()
    return found


_READERS: dict[str, Callable[[_Scanner], None]] = {
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", _Scanner.word),
    **dict.fromkeys("0123456789.", _Scanner.number),
    **dict.fromkeys(" \t\n\r", _Scanner.space),
    "\\": _Scanner.command,
    "{": _Scanner.brace,
    "&": lambda scanner: scanner.add("align", "&", scanner.at + 1),
}
