r"""Formulas as people write them in documents → tokens with their places: LaTeX, Unicode and code in one notation.

Bounded, and linear in the length of the text. The text of a font (`\text{KV cache}`, `\mathrm{attn}`) is one token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from derive.errors import FormulaError
from derive.formula.tokens import MOST_CHARACTERS, MOST_DIGITS

Kind = Literal["number", "word", "greek", "cjk", "text", "command", "sign", "relation", "super", "sub", "gap", "row", "align", "note", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a formula with its place (from 0), and whether space stands before it."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool = False


_GROUP = r"(?:,|\{,\}|\\,|\{\\,\}|\\!|\{,\\!\}|,\\!|[\u2009\u202f\u00a0_，'])"
_TOKEN = re.compile(
    rf"""
      (?P<space>    [\s\u200b\ufeff]+ | \\[,;:!>\ ] | \\(?:thinspace|medspace|thickspace|negthinspace|enspace|allowbreak|nobreakspace)(?![A-Za-z])
                  | \{{\}} )
    | (?P<braced>   \{{\s*(?:[-+=*/<>≈×]|\\(?:times|cdot|approx|sim|leq?|geq?|div)(?![A-Za-z]))\s*\}} )
    | (?P<gap>      \\q?quad(?![A-Za-z]) | \\hspace\*?\{{[^{{}}]{{0,40}}\}} | \\(?:hfill|hfil)(?![A-Za-z]) )
    | (?P<number>   \d{{1,3}} (?:{_GROUP}\d{{3}})+ (?!\d) (?:\.\d+)? (?:[eE][+-]?\d+)?
                  | \d{{1,3}},\ \d{{3}} (?![\d,]) (?!\s*\d)
                  | \d+ (?:\.\d+)? (?:e[+-]?\d+ | E[+-]\d+)? (?![A-Za-z0-9]*_) | \d+(?:\.\d+)? | \.\d+ )
    | (?P<micro>    \\mu\s*(?:\\(?:text|mathrm|rm)\s*\{{\s*s\s*\}}|s(?![A-Za-z])) )
    | (?P<row>      \\\\ (?:\[[^\[\]]{{0,20}}\])? | \\newline(?![A-Za-z]) | \\cr(?![A-Za-z]) )
    | (?P<command>  \\[A-Za-z]+\*? | \\[{{}}%$\#&_|] )
    | (?P<relation> :=|=:|~=|≃|≅|≈|≒|∼|~(?=\s*\d)|==|<=|>=|!=|=>|->|→|⇒|⟹|⇔|≤|≥|≦|≧|⩽|⩾|≪|≫|≠|∝|∈|≡|≜|<|>|=|＝|约等于|约为|等于 )
    | (?P<word>     [A-Za-z\u00b5\u0370-\u03ff\u1f00-\u1fff]+ )
    | (?P<cjk>      (?:(?!约等于|约为|等于)[\u4e00-\u9fff])+ )
    | (?P<super>    [⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵈ]+ )
    | (?P<sub>      [₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]+ )
    | (?P<align>    & )
    | (?P<sign>     \*\* | // | [-+*/^_(){{}}\[\]|,;.:%!'~] | [·×÷−⋅∗•⨯✕–—‒√∑∂∞‰（）［］，；、。：|] )
    """,
    re.VERBOSE,
)
_SUPERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵈ", "0123456789-+nd")
_SUBS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx")
_SAME_SIGN = {
    **dict.fromkeys("·⋅×∗•⨯✕", "*"),
    "÷": "/",
    **dict.fromkeys("−–—‒", "-"),
    "**": "^",
    "（": "(",
    "）": ")",
    "［": "[",
    "］": "]",
    "，": ",",
    "；": ";",
    "、": ",",
    "。": ".",
    "：": ":",
    "√": r"\sqrt",
    "∑": r"\sum",
    "∂": r"\partial",
    "∞": r"\infty",
}
_SIGN_COMMANDS = {
    **dict.fromkeys((r"\cdot", r"\times", r"\ast", r"\bullet", r"\cdotp", r"\bigcdot"), "*"),
    r"\div": "/",
    r"\%": "%",
    r"\_": "_",
    r"\{": r"\{",
    r"\}": r"\}",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\lparen": "(",
    r"\rparen": ")",
    r"\colon": ":",
    r"\slash": "/",
}
_RELATIONS = {
    **dict.fromkeys(("=", "＝", "==", "=:", "≡", "等于", r"\eq", r"\equiv"), "="),
    **dict.fromkeys((":=", "≜", r"\coloneqq", r"\triangleq", r"\defeq", r"\doteq", r"\coloneq"), ":="),
    **dict.fromkeys(
        ("~=", "≃", "≅", "≈", "≒", "∼", "~", "约等于", "约为", r"\approx", r"\sim", r"\simeq", r"\cong", r"\approxeq", r"\thickapprox"), "≈"
    ),
    **dict.fromkeys(("<=", "≤", "≦", "⩽", r"\le", r"\leq", r"\leqslant", r"\lesssim", r"\leqq"), "≤"),
    **dict.fromkeys((">=", "≥", "≧", "⩾", r"\ge", r"\geq", r"\geqslant", r"\gtrsim", r"\geqq"), "≥"),
    **dict.fromkeys(("<", r"\lt"), "<"),
    **dict.fromkeys((">", r"\gt"), ">"),
    **dict.fromkeys(("≪", r"\ll"), "≪"),
    **dict.fromkeys(("≫", r"\gg"), "≫"),
    **dict.fromkeys(("!=", "≠", r"\ne", r"\neq"), "≠"),
    **dict.fromkeys(("∝", r"\propto", r"\varpropto"), "∝"),
    **dict.fromkeys(("->", "→", r"\to", r"\rightarrow", r"\longrightarrow", r"\mapsto"), "→"),
    **dict.fromkeys(("∈", r"\in"), "∈"),
    **dict.fromkeys(("=>", "⇒", "⟹", r"\Rightarrow", r"\implies", r"\Longrightarrow", "⇔", r"\iff", r"\Leftrightarrow"), "⇒"),
}
_SILENT = frozenset(
    r"\left \right \middle \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm \displaystyle \textstyle "
    r"\scriptstyle \limits \nolimits \nonumber \notag \small \normalsize \large \Large \footnotesize \tiny \bf \it \sf \tt \mathstrut "
    r"\hline \centering \relax \strut \mathop \mathbin \mathrel \mathord \, \boldmath \null \newcommand \star".split()
)
_FONTS = frozenset(
    r"\text \textrm \textsf \textnormal \mathrm \mathit \mathsf \mathtt \mathbf \mathcal \mathscr \mathfrak \operatorname \operatorname* "
    r"\textbf \textit \texttt \mbox \hbox \boldsymbol \bm \pmb \emph \textsc \mathnormal".split()
)
_SWITCHES = frozenset((r"\rm", r"\bf", r"\it", r"\sf", r"\tt"))
_PLAIN_TEXT = re.compile(r"[^\\{}^$&]*\Z")
_ACCENTS = frozenset(r"\tilde \hat \bar \overline \widetilde \widehat \vec \underline \dot".split())
_GREEK = frozenset(
    r"\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \vartheta \iota \kappa \lambda \mu \nu \xi \pi \rho \varrho \sigma \tau "
    r"\upsilon \phi \varphi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega \ell \hbar \imath \jmath".split()
)


def scan(text: str) -> list[Token]:
    """The tokens of `text`, ended by one of kind `end`.

    Raises `FormulaError` for a character that no formula has, and beyond the bounds.
    """
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"longer than {MOST_CHARACTERS} characters", text)
    return _Scanner(text).tokens()


class _Scanner:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.spaced = False
        self.found: list[Token] = []

    def tokens(self) -> list[Token]:
        while self.at < len(self.text):
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                raise FormulaError(f"cannot read {self.text[self.at]!r}", self.text, self.at + 1)
            self.take(match)
        self.add("end", "", len(self.text), len(self.text))
        return self.found

    def add(self, kind: Kind, text: str, start: int, end: int) -> None:
        self.found.append(Token(kind, text, start, end, self.spaced))
        self.spaced = False

    def take(self, match: re.Match[str]) -> None:
        """One match as a token, or as several."""
        piece, start, self.at = match.group(), match.start(), match.end()
        kind = match.lastgroup
        if kind == "space":
            self.spaced = True
        elif kind == "braced":  # an operator with the spacing of a letter
            inner = _TOKEN.match(piece.strip("{} "))
            assert inner is not None
            end, self.at = self.at, start
            self.take_inner(inner, start, end)
        elif kind == "number":
            self.number(piece, start)
        elif kind == "micro":
            self.add("text", "us", start, self.at)
        elif kind == "command":
            self.command(piece, start)
        elif kind == "relation":
            self.add("relation", _RELATIONS[piece], start, self.at)
        elif kind in ("super", "sub"):
            self.add(kind, piece.translate(_SUPERS if kind == "super" else _SUBS), start, self.at)  # type: ignore[arg-type]
        elif kind == "sign":
            sign = _SAME_SIGN.get(piece, piece)
            if sign == "~":
                self.spaced = True
            else:
                self.add("command" if sign.startswith("\\") else "sign", sign, start, self.at)
        else:
            self.add(kind, piece, start, self.at)  # type: ignore[arg-type]

    def take_inner(self, inner: re.Match[str], start: int, end: int) -> None:
        """A token that stands between braces."""
        piece = inner.group()
        if piece in _RELATIONS:
            self.add("relation", _RELATIONS[piece], start, end)
        else:
            self.add("sign", _SIGN_COMMANDS.get(piece, _SAME_SIGN.get(piece, piece)), start, end)
        self.at = end

    def number(self, piece: str, start: int) -> None:
        """A number without its digit groups; `2.4.d` is 2·4·d."""
        if "." in piece and re.match(r"\.\s?[A-Za-z\\0-9(]", self.text[self.at : self.at + 3]) and "," not in piece:
            whole, _, part = piece.partition(".")
            self.add("number", whole or "0", start, start + len(whole))
            self.add("sign", "*", start + len(whole), start + len(whole) + 1)
            self.add("number", part, start + len(whole) + 1, self.at)
            self.add("sign", "*", self.at, self.at + 1)
            self.at += 1
            return
        digits = re.sub(r"[^0-9.eE+-]", "", piece)
        mantissa, _, exponent = digits.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or (exponent and abs(int(exponent)) > MOST_DIGITS):
            raise FormulaError(f"a number of more than {MOST_DIGITS} digits", self.text, start + 1)
        self.add("number", digits, start, self.at)

    def command(self, command: str, start: int) -> None:
        if command in _RELATIONS:
            self.add("relation", _RELATIONS[command], start, self.at)
        elif command in _SIGN_COMMANDS:
            self.add("sign", _SIGN_COMMANDS[command], start, self.at)
        elif command in _SWITCHES:
            self.switch(start)
        elif command in _SILENT or command.rstrip("*") in _SILENT:
            self.delimiter_dot(command)
        elif command in _FONTS:
            self.font(command, start)
        elif command in _GREEK:
            self.add("greek", command[1:], start, self.at)
        elif command in (r"\label", r"\tag", r"\tag*", r"\ref", r"\eqref", r"\vspace", r"\phantom", r"\hphantom", r"\vphantom", r"\color"):
            self.at = self.closing(self.at)
        elif command in _ACCENTS:
            self.accent(command, start)
        else:
            self.add("command", command, start, self.at)

    def delimiter_dot(self, command: str) -> None:
        r"""`\left.` and `\right.` are no delimiters."""
        if command in (r"\left", r"\right") and self.text[self.at : self.at + 1] == ".":
            self.at += 1

    def closing(self, at: int) -> int:
        """The place behind the group that starts at `at`, or `at` where none does; braces are counted."""
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        if self.text[at : at + 1] != "{":
            return self.at
        depth, start = 0, at
        while at < len(self.text):
            letter = self.text[at]
            if letter == "\\":
                at += 2
                continue
            depth += (letter == "{") - (letter == "}")
            at += 1
            if depth == 0:
                return at
        raise FormulaError("expected '}'", self.text, start + 1)

    def font(self, command: str, start: int) -> None:
        r"""`\text{KV cache}` as one token; a font around a formula (`\mathbf{W}_Q`, `\mathrm{12 L d^2}`) is left out."""
        end = self.closing(self.at)
        if end == self.at:  # a font without braces takes the next letter or word
            self.switch(start)
            return
        opening = self.text.index("{", self.at)
        inner = self.text[opening + 1 : end - 1]
        plain = inner.replace(r"\_", "_").replace(r"\%", "%").replace(r"\ ", " ").replace(r"\,", " ").replace("~", " ").replace(r"\&", "&")
        plain = plain.replace(r"\#", "#").replace(r"\times", "×").replace(r"\-", "").replace(r"\/", "").replace("{,}", ",")
        if plain.strip() and plain.strip() in ",;，；、.:：":
            self.add("sign", _SAME_SIGN.get(plain.strip(), plain.strip()), start, end)
            self.at = end
            return
        formula = command in (r"\boldsymbol", r"\bm", r"\pmb") or plain.strip()[:1].isdigit()
        if _PLAIN_TEXT.match(plain) and not (formula or plain.strip() == ""):
            self.add("text", plain, start, end)
            self.at = end
        elif plain.strip() == "":
            self.spaced = True
            self.at = end
        elif not formula and command in (r"\text", r"\textrm", r"\mbox", r"\textbf", r"\textit", r"\texttt", r"\emph", r"\hbox"):
            self.add("text", re.sub(r"\\[A-Za-z]+|[{}$^\\]", "", plain), start, end)
            self.at = end

    def switch(self, start: int) -> None:
        r"""`\rm total`, `\mathrm d`: the word or letter that follows is one token."""
        match = re.compile(r"\s*([A-Za-z\u4e00-\u9fff]+)").match(self.text, self.at)
        if match is not None:
            self.add("text", match.group(1), start, match.end())
            self.at = match.end()

    def accent(self, command: str, start: int) -> None:
        r"""`\tilde{d}` is a name of its own: d_tilde; an accent over more than a letter is left out."""
        end = self.closing(self.at)
        inner = self.text[self.at : end].strip(" {}")
        if end > self.at and inner.isalpha() and len(inner) == 1:
            self.add("text", f"{inner}_{command[1:]}", start, end)
            self.at = end
