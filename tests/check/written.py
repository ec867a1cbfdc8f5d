r"""Arithmetic claims, written out the way people write them: LaTeX, plain text, code, Chinese, inside a sentence.

A claim is an expression over numbers and what a text states for it: `2*8192*64*8192` and `8Gi`. The expression is walked
as a Python syntax tree and never evaluated. The hand that writes is seeded by the claim and the manner, so that
every run writes the same.

    Claim("a", "2*2*64*8192**2", "17179869184", "exact")  ->  $2 \cdot 2 \cdot 64 \cdot 8192^2 = 17{,}179{,}869{,}184$
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

SUM, PRODUCT, POWER, ATOM = range(4)
Tight = tuple[str, int]
"""A text and how tightly it binds."""


@dataclass(frozen=True)
class Claim:
    """`expr` is stated to be `stated`; `verdict` is exact, approx or wrong."""

    id: str
    expr: str
    stated: str
    verdict: str


@dataclass(frozen=True)
class Document:
    """A small document that holds one claim, and the manner in which it was written."""

    manner: str
    format: str
    text: str


@dataclass(frozen=True)
class Hand:
    """How one writer writes; every field holds the choices from which the seeded hand takes one."""

    times: tuple[str, ...]
    group: tuple[str, ...]
    power: tuple[Callable[[str, str], str], ...]
    ten: tuple[Callable[[str, str], Tight], ...]
    divide: Callable[[Tight, Tight], Tight]
    floor: Callable[[Tight, Tight], Tight]
    stated: Callable[[str, Hand, Random], str]
    equal: tuple[str, ...] = (" = ",)
    about: tuple[str, ...] = (" ≈ ",)
    brackets: tuple[str, str] = ("(", ")")


# Numbers


def digits(number: str, comma: str) -> str:
    """`38597376` → 38,597,376; five digits and more are grouped, and a fraction keeps its own."""
    whole, dot, rest = number.partition(".")
    return (f"{int(whole):,}".replace(",", comma) if len(whole) > 4 else whole) + dot + rest


def split_stated(stated: str) -> tuple[str, int, str]:
    """`0.3e9` → ("0.3", 9, ""), `8Gi` → ("8", 0, "Gi"), `21.7%` → ("21.7", 0, "%")."""
    found = re.fullmatch(r"([0-9.]+)(?:e([0-9]+))?([A-Za-z%]*)", stated)
    if found is None:
        raise ValueError(stated)
    return found[1], int(found[2] or 0), found[3]


SCALES = {"K": 3, "M": 6, "G": 9, "B": 9, "T": 12}
WORDS = {6: "million", 9: "billion", 12: "trillion"}


def shifted(number: str, places: int) -> str | None:
    """The number times ten to `places`, with the same digits claimed; None where a zero would have to be made up."""
    whole, _, rest = number.partition(".")
    if not 0 <= places <= len(rest):
        return None
    digits = (whole + rest[:places]).lstrip("0") or "0"
    return digits + ("." + rest[places:] if rest[places:] else "")


# Expressions


def write(expression: str, hand: Hand, seed: Random) -> str:
    """The expression in that hand."""
    times = seed.choice(hand.times)
    return _Writer(expression, hand, seed, times).written(ast.parse(expression, mode="eval").body)[0]


@dataclass(frozen=True)
class _Writer:
    source: str
    hand: Hand
    seed: Random
    times: str

    def written(self, node: ast.expr) -> Tight:
        match node:
            case ast.Constant():
                return self.number(ast.get_source_segment(self.source, node) or "")
            case ast.Call(args=[whole]):  # Fraction(n)
                return self.written(whole)
            case ast.Call(args=[above, below]):  # Fraction(67, 10): a number with a point
                return self.number(self.decimal(above, below))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return "-" + self.within(inner, PRODUCT), SUM
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self.sum(node), SUM
            case ast.BinOp(op=ast.Mult()):
                return self.product(node)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self.hand.divide(self.written(left), self.written(right))
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
                return self.hand.floor(self.written(left), self.written(right))
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=exponent)):
                return self.seed.choice(self.hand.power)(self.within(left, ATOM), str(exponent)), POWER
        raise ValueError(ast.dump(node))

    def within(self, node: ast.expr, least: int) -> str:
        return in_brackets(self.written(node), least, self.hand.brackets)

    def number(self, text: str) -> Tight:
        mantissa, _, exponent = text.lower().partition("e")
        if exponent:
            return self.seed.choice(self.hand.ten)(mantissa, str(int(exponent)))
        return digits(text, self.seed.choice(self.hand.group)), ATOM

    def decimal(self, above: ast.expr, below: ast.expr) -> str:
        match above, below:
            case ast.Constant(value=int(one)), ast.Constant(value=int(other)):
                return str(float(Fraction(one, other)))
        raise ValueError(ast.dump(above))

    def sum(self, node: ast.BinOp) -> str:
        sign = " + " if isinstance(node.op, ast.Add) else " - "
        return self.within(node.left, SUM) + sign + self.within(node.right, PRODUCT)

    def product(self, node: ast.BinOp) -> Tight:
        """`4*10**6` is a number: 4e6, or 4 × 10⁶."""
        factors = list(product_factors(node))
        texts: list[Tight] = []
        for at, factor in enumerate(factors):
            exponent = power_of_ten(factor)
            if exponent and at and is_number(factors[at - 1]):
                texts[-1] = self.seed.choice(self.hand.ten)(ast.get_source_segment(self.source, factors[at - 1]) or "", exponent)
            else:
                texts.append(self.written(factor))
        if len(texts) == 1:
            return texts[0]
        return self.times.join(in_brackets(text, PRODUCT, self.hand.brackets) for text in texts), PRODUCT


def product_factors(node: ast.expr) -> Iterator[ast.expr]:
    """The factors of a product that associates to the left; a product on the right would stand in brackets and is flat too."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from product_factors(node.left)
        yield from product_factors(node.right)
    else:
        yield node


def power_of_ten(node: ast.expr) -> str | None:
    match node:
        case ast.BinOp(left=ast.Constant(value=10), op=ast.Pow(), right=ast.Constant(value=exponent)):
            return str(exponent)
    return None


def is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def in_brackets(text: Tight, least: int, brackets: tuple[str, str] = ("(", ")")) -> str:
    return text[0] if text[1] >= least else brackets[0] + text[0] + brackets[1]


SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


# LaTeX


def _latex_power(base: str, exponent: str) -> str:
    return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^{{{exponent}}}"


def _slash(sign: str) -> Callable[[Tight, Tight], Tight]:
    return lambda above, below: (in_brackets(above, PRODUCT) + sign + in_brackets(below, POWER), PRODUCT)


def _latex_stated(stated: str, hand: Hand, seed: Random) -> str:
    number, exponent, unit = split_stated(stated)
    number = digits(number, seed.choice(hand.group))
    if exponent:
        return seed.choice(
            [rf"{number} \times 10^{{{exponent}}}", rf"{number}\times10^{{{exponent}}}", rf"{number} \cdot 10^{{{exponent}}}"]
        )
    if unit == "%":
        return rf"{number}\%"
    if unit.endswith("i"):
        return seed.choice([rf"{number}\,\text{{{unit}B}}", rf"{number}\ \mathrm{{{unit}B}}", rf"{number} \text{{ {unit}}}"])
    if not unit:
        return number
    words = WORDS.get(SCALES[unit], unit)
    return seed.choice([rf"{number}\text{{{unit}}}", rf"{number}\,\mathrm{{{unit}}}", rf"{number} \text{{ {words}}}"])


LATEX = Hand(
    times=(r" \times ", r" \cdot ", r"\times "),
    group=("{,}", ",", ""),
    power=(_latex_power, lambda base, exponent: f"{base}^{{{exponent}}}"),
    ten=(
        lambda number, exponent: (rf"{number} \times 10^{{{exponent}}}", PRODUCT),
        lambda number, exponent: (rf"{number}\times10^{{{exponent}}}", PRODUCT),
        lambda number, exponent: (rf"{number} \cdot 10^{{{exponent}}}", PRODUCT),
    ),
    divide=lambda above, below: (rf"\frac{{{above[0]}}}{{{below[0]}}}", POWER),
    floor=lambda above, below: (rf"\lfloor {_slash(' / ')(above, below)[0]} \rfloor", ATOM),
    stated=_latex_stated,
    about=(r" \approx ", r" \simeq ", r" \sim "),
)


# Plain text and code


def _plain_stated(stated: str, hand: Hand, seed: Random) -> str:
    number, exponent, unit = split_stated(stated)
    grouped = digits(number, seed.choice(hand.group))
    if exponent:
        power = str(exponent).translate(SUPERSCRIPTS)
        short = {3: ["K"], 6: ["M"], 9: ["B"]}.get(exponent, [])
        return seed.choice(
            [f"{number}e{exponent}", f"{grouped} × 10{power}", f"{grouped} × 10^{exponent}", *(grouped + word for word in short)]
        )
    if unit.endswith("i"):
        return seed.choice([f"{grouped} {unit}B", f"{grouped}{unit}B", f"{grouped} {unit}"])
    if unit in SCALES and SCALES[unit] in WORDS:
        return seed.choice([grouped + unit, f"{grouped} {unit}", f"{grouped} {WORDS[SCALES[unit]]}"])
    return grouped + unit


PLAIN = Hand(
    times=(" × ", " * ", "×", " x ", " · "),
    group=(",", ""),
    power=(lambda base, exponent: base + exponent.translate(SUPERSCRIPTS), lambda base, exponent: f"{base}^{exponent}"),
    ten=(
        lambda number, exponent: (f"{number}e{exponent}", ATOM),
        lambda number, exponent: (f"{number} × 10{exponent.translate(SUPERSCRIPTS)}", PRODUCT),
        lambda number, exponent: (f"{number} × 10^{exponent}", PRODUCT),
    ),
    divide=_slash(" / "),
    floor=_slash(" // "),
    stated=_plain_stated,
    about=(" ≈ ", " ~ ", " ~= "),
)


def _code_stated(stated: str, hand: Hand, seed: Random) -> str:
    return _plain_stated(stated, hand, seed) if split_stated(stated)[2] else stated


CODE = Hand(
    times=(" * ", "*"),
    group=("",),
    power=(lambda base, exponent: f"{base}**{exponent}", lambda base, exponent: f"{base} ** {exponent}"),
    ten=(lambda number, exponent: (f"{number}e{exponent}", ATOM),),
    divide=_slash(" / "),
    floor=_slash(" // "),
    stated=_code_stated,
    equal=(" = ", " == "),
    about=(" ≈ ", " ~ "),
)


# Chinese


def _chinese_scale(number: str, exponent: int) -> Iterator[str]:
    """`7.08` and 6 → 708 万: the scales of ten thousands in which no digit has to be made up."""
    for places, word in ((4, "万"), (8, "亿"), (12, "万亿")):
        moved = shifted(number, exponent - places)
        if moved is not None and Fraction(moved) >= Fraction(1, 10):
            yield from (f"{moved}{word}", f"{moved} {word}")


def _chinese_stated(stated: str, hand: Hand, seed: Random) -> str:
    number, exponent, unit = split_stated(stated)
    scaled = list(_chinese_scale(number, exponent or SCALES.get(unit, 0)))
    return seed.choice(scaled) if scaled else _plain_stated(stated, hand, seed)


def _chinese_latex_stated(stated: str, hand: Hand, seed: Random) -> str:
    number, exponent, unit = split_stated(stated)
    scaled = [re.sub(r"([0-9]) ?(\D+)$", r"\1\\text{\2}", text) for text in _chinese_scale(number, exponent or SCALES.get(unit, 0))]
    return seed.choice(scaled) if scaled else _latex_stated(stated, hand, seed)


def _like(hand: Hand, **changes: object) -> Hand:
    return replace(hand, **changes)  # type: ignore[arg-type]


CHINESE = _like(PLAIN, times=(" × ", "×", " * "), stated=_chinese_stated, about=(" ≈ ", "≈", " 约等于 ", "约等于"))
CHINESE_LATEX = _like(LATEX, stated=_chinese_latex_stated)


# Sentences; each holds one equation, and none a number of its own

ENGLISH_SENTENCES = (
    "Written out, {} in all.",
    "Put the sizes in: {}.",
    "With these settings we get {}, which the table repeats.",
    "So {}.",
    "- the whole row: {}",
)
CHINESE_SENTENCES = (
    "代入各项可得 {}。",
    "把数字代进去：{}，与表格一致。",
    "于是有 {}。",
    "- 合计：{}",
)
NAMED_CHINESE_SENTENCES = ("参数量约为 {}。", "总量为 {}。")
"""The equation follows a name that says what is counted."""
TEX = "\\documentclass{{article}}\n\\begin{{document}}\n{}\n\\end{{document}}\n"


@dataclass(frozen=True)
class Manner:
    """A hand, the sentence around it, and the kind of file in which it stands."""

    name: str
    hand: Hand
    sentences: tuple[str, ...]
    format: str
    around: str = "{}"
    file: str = "{}\n"


MANNERS = (
    Manner("latex in Markdown", LATEX, ENGLISH_SENTENCES, "md", "${}$"),
    Manner("displayed in Markdown", LATEX, ("Written out,\n\n{}\n\nin all.",), "md", "$$\n{}\n$$"),
    Manner("brackets in Markdown", LATEX, ENGLISH_SENTENCES, "md", r"\({}\)"),
    Manner("latex", LATEX, ENGLISH_SENTENCES[:-1], "tex", "${}$", TEX),
    Manner("displayed latex", LATEX, ("Written out,\n{}\nin all.",), "tex", "\\begin{{equation}}\n  {}\n\\end{{equation}}", TEX),
    Manner("plain in Markdown", PLAIN, ENGLISH_SENTENCES, "md"),
    Manner("plain text", PLAIN, ENGLISH_SENTENCES, "txt"),
    Manner("code in Markdown", CODE, ENGLISH_SENTENCES, "md", "`{}`"),
    Manner("code in a fence", CODE, ("Written out:\n\n{}\n",), "md", "```\n{}\n```"),
    Manner("Chinese in Markdown", CHINESE, CHINESE_SENTENCES + NAMED_CHINESE_SENTENCES, "md"),
    Manner("Chinese text", CHINESE, CHINESE_SENTENCES + NAMED_CHINESE_SENTENCES, "txt"),
    Manner("Chinese with latex", CHINESE_LATEX, CHINESE_SENTENCES, "md", "${}$"),
)


def written(claim: Claim, manner: Manner) -> Document:
    """The claim in that manner; the same every time."""
    seed = Random(f"{claim.id} {manner.name}")
    hand = manner.hand
    left, right = write(claim.expr, hand, seed), hand.stated(claim.stated, hand, seed)
    equation = left + seed.choice(_relations(claim, hand, seed)) + right
    if manner.format == "tex":
        equation = re.sub(r"(?<!\\)%", r"\\%", equation)
    sentence = seed.choice(manner.sentences).format(manner.around.format(equation))
    return Document(manner.name, manner.format, manner.file.format(sentence))


def _relations(claim: Claim, hand: Hand, seed: Random) -> tuple[str, ...]:
    """`≈` for what is near and for half of what is rounded, `=` else."""
    rounded = split_stated(claim.stated)[1:] != (0, "") or "." in claim.stated
    near = claim.verdict == "approx" or (claim.verdict == "exact" and rounded and seed.random() < 0.5)
    return hand.about if near else hand.equal


def documents(claim: Claim) -> Iterator[Document]:
    """The claim in every manner."""
    return (written(claim, manner) for manner in MANNERS)
