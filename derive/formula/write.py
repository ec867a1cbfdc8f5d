"""Formulas written out: in LaTeX, in Unicode for the terminal, and as code.

One traversal serves all three; a `Notation` holds what differs. `parse` reads each of them back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from derive.formula.tidy import negated
from derive.formula.tree import Applied, Formula, Name, Number, Power, Product, Quotient, Sum
from derive.records import dataclass
from derive.symbols import BY_NAME

if TYPE_CHECKING:
    from derive.formula.tree import Rational

_GREEK = {"∞": r"\infty", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma"}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True, slots=True)
class Notation:
    """How one output language writes each node, and what it puts between two factors."""

    name: Callable[[str], str]
    number: Callable[[Rational], str]
    power: Callable[[str, str], str]
    quotient: Callable[[str, str], tuple[str, int]]
    brackets: Callable[[str], str]
    between: Callable[[Formula, Formula], str]
    operator: int
    bracketed_quotient: bool = True
    minus: str = "-"


# How each operator is written in LaTeX, in Unicode and as code; its arguments in order.
OPERATORS: dict[str, tuple[str, str, str]] = {
    "partial": (r"\frac{{\partial {0}}}{{\partial {1}}}", "∂{0}/∂{1}", "diff({0}, {1})"),
    "total": (r"\frac{{\mathrm{{d}} {0}}}{{\mathrm{{d}} {1}}}", "d{0}/d{1}", "total_diff({0}, {1})"),
    "elasticity": (r"\frac{{\partial \ln {0}}}{{\partial \ln {1}}}", "∂ln {0}/∂ln {1}", "elasticity({0}, {1})"),
    "total_elasticity": (
        r"\frac{{\mathrm{{d}} \ln {0}}}{{\mathrm{{d}} \ln {1}}}",
        "d ln {0}/d ln {1}",
        "total_elasticity({0}, {1})",
    ),
    "limit": (r"\lim_{{{1} \to \infty}} {0}", "lim[{1}→∞] {0}", "limit({0}, {1})"),
    "step": (r"\Delta_{{{1}}} {0}", "Δ_{1} {0}", "step({0}, {1})"),
    "more": (r"{0}\big|_{{{1} \to {1} + {2}}}", "{0}[{1} → {1} + {2}]", "scaled({0}, {1} + {2})"),
    "times": (r"{0}\big|_{{{2} \to {1}{2}}}", "{0}[{2} → {1}{2}]", "scaled({0}, {1}*{2})"),
    "log_slope": (r"\frac{{\mathrm{{d}} {0}}}{{\mathrm{{d}} \ln {1}}}", "d{0}/d ln {1}", "log_slope({0}, {1})"),
    "best": (r"{0}^{{*}}", "{0}*", "best({0})"),
    "sqrt": (r"\sqrt{{{0}}}", "√({0})", "sqrt({0})"),
    "sum": (r"\sum_{{{1}={2}}}^{{{3}}} {0}", "Σ[{1}={2}…{3}] {0}", "sum({0}, ({1}, {2}, {3}))"),
    "floor": (r"\lfloor {0} \rfloor", "⌊{0}⌋", "floor({0})"),
    "ceil": (r"\lceil {0} \rceil", "⌈{0}⌉", "ceil({0})"),
    "log": (r"\log ({0})", "log({0})", "log({0})"),
    "max": (r"\max({0})", "max({0})", "max({0})"),
    "min": (r"\min({0})", "min({0})", "min({0})"),
}


def write_latex(formula: Formula) -> str:
    r"""The formula in LaTeX: `L\,(2d^2 + 2d\,d_{kv})`."""
    return _write(formula, LATEX)[0]


def write_markdown(formula: Formula) -> str:
    """The formula in the LaTeX that survives Markdown, where a backslash before punctuation is eaten."""
    return _write(formula, MARKDOWN)[0]


def write_text(formula: Formula) -> str:
    """The formula in Unicode: `L(2d² + 2d·d_kv)`."""
    return _write(formula, TEXT)[0]


def write_code(formula: Formula) -> str:
    """The formula as code: `L*(2*d**2 + 2*d*d_kv)`."""
    return _write(formula, CODE)[0]


def latex_name(name: str) -> str:
    r"""A name in LaTeX: the vocabulary's own, else its subscript upright (`P_{\mathrm{attn}}`)."""
    if name in BY_NAME:
        return BY_NAME[name].latex
    if name in _GREEK:
        return _GREEK[name]
    letter, _, subscript = name.partition("_")
    if not subscript:
        return letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"
    letter = _GREEK.get(letter, letter if len(letter) == 1 else rf"\mathrm{{{letter}}}")
    return rf"{letter}_{{\mathrm{{{subscript.replace('_', ',')}}}}}" if len(subscript) > 1 else f"{letter}_{subscript}"


def _write(formula: Formula, notation: Notation) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""
    if isinstance(formula, Name):  # asked so often that `match` would cost
        return notation.name(formula.name), _ATOM
    if isinstance(formula, Number):
        shown = formula.shown if notation.operator == 1 else None
        return _number(formula.value, notation) if shown is None else (shown, _ATOM)
    if isinstance(formula, Product):
        return _product(formula.factors, notation)
    if isinstance(formula, Sum):
        return _sum(formula.terms, notation), _SUM
    if isinstance(formula, Power):
        below = _within(formula.base, notation, _ATOM)
        return notation.power(below, _write(formula.exponent, notation)[0]), _POWER
    if isinstance(formula, Quotient):
        return _quotient(formula.numerator, formula.denominator, notation)
    if isinstance(formula, Applied):
        return _applied(formula.operator, formula.arguments, notation)
    raise TypeError(f"not a formula node: {type(formula).__name__}")


_ENCLOSING = frozenset(("sqrt", "floor", "ceil", "log", "max", "min"))
"""Operators that enclose their arguments, which then need no brackets."""


def _applied(operator: str, arguments: tuple[Formula, ...], notation: Notation) -> tuple[str, int]:
    pattern = OPERATORS[operator][notation.operator]
    least = _SUM if operator in _ENCLOSING else _POWER
    written = [_within(each, notation, least) for each in arguments]
    if operator in ("max", "min"):
        written = [", ".join(written)]
    return pattern.format(*written), _PRODUCT if operator == "sum" else _ATOM


def _within(formula: Formula, notation: Notation, least: int) -> str:
    """The text of a part, in brackets where it binds less tightly than `least`."""
    text, binds = _write(formula, notation)
    return text if binds >= least else notation.brackets(text)


def _number(value: Rational, notation: Notation) -> tuple[str, int]:
    if value < 0:
        return notation.minus + _number(-value, notation)[0], _SUM
    if value.denominator != 1:
        return _quotient(Number(value.numerator), Number(value.denominator), notation)
    return notation.number(value), _ATOM


def _quotient(numerator: Formula, denominator: Formula, notation: Notation) -> tuple[str, int]:
    """Both parts; a fraction bar needs no brackets, a slash does."""
    above, below = (_PRODUCT, _POWER) if notation.bracketed_quotient else (_SUM, _SUM)
    return notation.quotient(_within(numerator, notation, above), _within(denominator, notation, below))


def _sum(terms: tuple[Formula, ...], notation: Notation) -> str:
    text = _within(terms[0], notation, _PRODUCT) if not _negative(terms[0]) else _write(terms[0], notation)[0]
    for term in terms[1:]:
        if _negative(term):
            text += f" {notation.minus} {_within(_positive(term), notation, _PRODUCT)}"
        else:
            text += f" + {_within(term, notation, _PRODUCT)}"
    return text


def _product(factors: tuple[Formula, ...], notation: Notation) -> tuple[str, int]:
    if isinstance(factors[0], Number) and factors[0].value < 0:
        return notation.minus + _within(_positive(Product(factors)), notation, _PRODUCT), _SUM
    text = _within(factors[0], notation, _POWER)
    for before, factor in pairwise(factors):
        text += notation.between(before, factor) + _within(factor, notation, _POWER)
    return text, _PRODUCT


def _positive(term: Formula) -> Formula:
    """What a minus stands before; the 1 of `-1·5` stays, or it would read as the number -5."""
    if isinstance(term, Product) and term.factors[0] == Number(-1) and isinstance(term.factors[1], Number):
        return Product((Number(1), *term.factors[1:]))
    return negated(term)


def _negative(term: Formula) -> bool:
    first = term.factors[0] if isinstance(term, Product) else term
    return isinstance(first, Number) and first.value < 0


def _grouped(comma: str) -> Callable[[Rational], str]:
    """Digit groups from five digits on, so that a size such as 4096 stays whole."""
    return lambda value: f"{value:,}".replace(",", comma) if value >= 10_000 else str(value)


def _numeric(formula: Formula) -> bool:
    """Whether the text of a factor begins with a digit."""
    base = formula.base if isinstance(formula, Power) else formula
    return isinstance(base, Number)


def _last_name(formula: Formula) -> str | None:
    base = formula.base if isinstance(formula, Power) else formula
    return base.name if isinstance(base, Name) else None


# LaTeX


def _latex_between(thin_space: str) -> Callable[[Formula, Formula], str]:
    """What stands between two factors: a dot before a digit, a thin space where letters would run together."""

    def between(before: Formula, after: Formula) -> str:
        if _numeric(after) or (_fraction(before) and _fraction(after)):
            return r" \cdot "
        if isinstance(before, (Number, Quotient)):
            return ""
        left, right = _last_name(before), _last_name(after)
        if left is None or right is None:
            return thin_space
        return thin_space if "_" in left or left[0] == right[0] or left in _GREEK else ""

    return between


def _fraction(formula: Formula) -> bool:
    return isinstance(formula, Quotient) or (isinstance(formula, Number) and formula.value.denominator != 1)


def _latex_power(base: str, exponent: str) -> str:
    return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^{{{exponent}}}"


LATEX = Notation(
    name=latex_name,
    number=_grouped("{,}"),
    power=_latex_power,
    quotient=lambda above, below: (rf"\frac{{{above}}}{{{below}}}", _POWER),
    bracketed_quotient=False,
    brackets=lambda inner: rf"\left({inner}\right)" if r"\frac" in inner else f"({inner})",
    between=_latex_between(r"\,"),
    operator=0,
)
MARKDOWN = replace(LATEX, between=_latex_between(r"\thinspace "))


# Unicode and code


def _slash(above: str, below: str) -> tuple[str, int]:
    return f"{above}/{below}", _PRODUCT


def _text_between(before: Formula, after: Formula) -> str:
    left, right = _last_name(before), _last_name(after)
    if _numeric(after):
        return "·"
    if left is None or right is None:
        return "·" if left is not None and len(left) > 1 else ""
    return "·" if len(left) > 1 or len(right) > 1 else ""


def _text_power(base: str, exponent: str) -> str:
    if exponent.lstrip("-").isdecimal():
        return base + exponent.translate(_SUPERSCRIPTS)
    return f"{base}^{exponent}" if exponent.isalpha() and len(exponent) == 1 else f"{base}^({exponent})"


TEXT = Notation(
    name=lambda name: name,
    number=_grouped(","),
    power=_text_power,
    quotient=_slash,
    brackets=lambda inner: f"({inner})",
    between=_text_between,
    operator=1,
)


def _code_power(base: str, exponent: str) -> str:
    return f"{base}**{exponent}" if exponent.isalnum() else f"{base}**({exponent})"


CODE = Notation(
    name=lambda name: name,
    number=lambda value: str(value),
    power=_code_power,
    quotient=_slash,
    brackets=lambda inner: f"({inner})",
    between=lambda before, after: "*",
    operator=2,
)
