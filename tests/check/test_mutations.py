"""The mutation law: a formula of our own, rewritten at random, is never wrong; with one change in it, it is always found.

Formulas are the named quantities of several kinds of block, each as `name = formula` and as `formula = formula`, in LaTeX,
Unicode and code and in many letterings; and the displayed lines of our own book. A few hundred in a normal run,
thousands with DERIVE_THOROUGH=1.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from check.fixtures import said, shown
from check.rewriting import equal_under_something, mutated, pen, rewritten, same

from derive.checker.checking import check_text
from derive.formula.tree import Formula, Name, Number, Product, Quotient, Sum
from derive.quantities import Variant, quantities
from derive.symbols import BY_NAME

THOROUGH = bool(os.environ.get("DERIVE_THOROUGH"))
ROUNDS = 40 if THOROUGH else 4
"""Groups of a hundred equations each; one group is one test."""
VARIANTS = (
    Variant(),
    Variant(shared=True),
    Variant(bias=True, ffn="two-matrix", norm="layer", positions=True),
    Variant(ffn="two-matrix"),
    Variant(bias=True, head_bias=True, norm="layer"),
)


@dataclass(frozen=True)
class Equation:
    """Two sides with their document; the left is a named quantity where `name` is given."""

    text: str
    left: Formula
    right: Formula
    name: str = ""
    kind: str = ""


def quantity_of(seed: Random):
    """A quantity whose formula is more than a letter or a number."""
    while True:
        found = seed.choice(list(quantities(seed.choice(VARIANTS)).values()))
        if not isinstance(found.formula, (Name, Number)):
            return found


def equation(seed: Random, *, change: bool) -> Equation:
    """A true equation, rewritten and written in some way; with `change`, one place of its right side is changed."""
    found = quantity_of(seed)
    named = seed.random() < 0.5
    left = seed.choice([found.general, found.formula]) if named else rewritten(found.formula, seed, 2)
    kind, right = mutated(left, seed) if change else ("", left)
    right = rewritten(right, seed)
    return Equation(document(found.name if named else "", left, right, seed), left, right, found.name if named else "", kind)


def document(name: str, left: Formula, right: Formula, seed: Random) -> str:
    """A table of the letters, and the equation below it."""
    hand = pen(seed)
    line = f"{hand.name(name) if name else hand.write(left)} = {hand.write(right)}"
    letters = [letter for letter in dict.fromkeys((*left.names, *right.names)) if letter in BY_NAME]
    quote = "${}$" if hand.language == "latex" else "`{}`"
    rows = [f"| {quote.format(hand.name(letter))} | {BY_NAME[letter].meaning.en.replace('`', '')} |" for letter in letters]
    table = "\n".join(["| symbol | meaning |", "| --- | --- |", *rows])
    place = seed.choice(["\n\n$$\n{}\n$$\n", "\n\nSo ${}$.\n"] if hand.language == "latex" else ["\n\nSo `{}`.\n", "\n\n```\n{}\n```\n"])
    return table + place.format(line)


def judged(text: str):
    """The finding on the equation, which is the last of the document."""
    findings = check_text(text).findings
    return findings[-1] if findings else None


def told(each: Equation, finding) -> str:
    return f"{each.kind} {each.name}: {each.text.splitlines()[-2:]}\n    {shown(finding) if finding else 'no finding'}"


def some(label: str, group: int, *, change: bool):
    return [equation(Random(f"{label} {group} {at}"), change=change) for at in range(100)]


@pytest.mark.parametrize("group", range(ROUNDS))
def test_rewritten_is_never_wrong(group):
    failures = []
    for each in some("rewritten", group, change=False):
        finding = judged(each.text)
        if finding is None or finding.verdict == "wrong":
            failures.append(told(each, finding))
    assert not failures, f"{len(failures)} of 100\n" + "\n".join(failures)


@pytest.mark.parametrize("group", range(ROUNDS))
def test_one_change_is_always_found(group):
    failures = []
    for each in some("mutated", group, change=True):
        finding = judged(each.text)
        if finding is None or not found(each, finding):
            failures.append(told(each, finding))
    assert not failures, f"{len(failures)} of 100\n" + "\n".join(failures)


def found(each: Equation, finding) -> bool:
    """Wrong; or an approximation that names the term dropped; or equal under an assumption that makes it equal indeed."""
    if finding.verdict == "wrong":
        return True
    if finding.verdict == "approximation":
        return each.kind == "dropped" and bool(finding.dropped)
    if finding.verdict == "exact-under":
        return bool(finding.assumptions) and excused(each, said(finding))
    return finding.verdict == "exact" and any(same(other, each.right) for other in readings(each.name))


def excused(each: Equation, reason: str) -> bool:
    """Whether the two are equal under usual assumptions, for another kind of block or count where a quantity is named."""
    others = (*readings(each.name), *other_counts(each.name, reason), each.left)
    return any(equal_under_something(other, each.right) for other in others)


@cache
def readings(name: str) -> tuple[Formula, ...]:
    """What the quantity is in every kind of block, in general and under the usual conditions."""
    if not name:
        return ()
    both = (False, True)
    switches = product(both, both, ("gated", "two-matrix"), ("rms", "layer"), both, both)
    kinds = [quantities(Variant(*each))[name] for each in switches]
    return tuple(dict.fromkeys(formula for kind in kinds for formula in (kind.general, kind.formula)))


def other_counts(name: str, reason: str) -> Iterator[Formula]:
    """What the quantity is where the finding says that other things are counted: fewer norms, the head, all tokens."""
    if "norm" in reason:
        yield from without_norms(name)
    if "head" in reason and name == "P_tok":
        yield from readings("P_emb")
    if name.startswith("F_") and re.search("token|sequence", reason):
        yield from (Name("n") * reading for reading in readings(name))
    if name == "P_norm" and "LayerNorm" in reason:
        yield 4 * Name("d")
    if name == "P_lora" and "LoRA on Q" in reason:
        yield from lora_on_some()
    if name.startswith("P_") and "bias on Q, K and V" in reason:
        layers = Number(1) if name in ("P_attn", "P_block") else Name("L")
        yield from (Sum((reading, Product((Number(-1), layers, Name("d"))))) for reading in readings(name))
    if "recomput" in reason:
        yield from recomputing(name)
    if name == "F_prefill_causal" and "n/2 tokens" in reason:
        itself = [-2 * Name("L") * Name("n") * Name(width) for width in ("d_q", "d")]  # a token that sees itself
        yield from (Sum((reading, each)) for reading in readings(name) for each in itself)


def lora_on_some() -> Iterator[Formula]:
    """LoRA on fewer matrices than all four."""
    query = Product((Name("L"), Name("r"), Sum((Name("d"), Name("d_q")))))
    key = Product((Name("L"), Name("r"), Sum((Name("d"), Name("d_kv")))))
    yield from (Sum((query, key)), Sum((query, key, key)))


def recomputing(name: str) -> Iterator[Formula]:
    """What the quantity is where activations, or those of the core of attention, are computed again in the backward pass."""
    if name == "F_train":
        yield from (Quotient(4 * reading, Number(3)) for reading in readings(name))
    if name == "A_layer":
        core = 5 * Name("h") * Name("n") * Name("n") * Name("B")
        yield from (Sum((reading, Number(-1) * core)) for reading in readings(name))


def without_norms(name: str) -> Iterator[Formula]:
    """The quantity with some norms left out, each time as much as the quantity makes of a parameter."""
    d, layers = Name("d"), Number(1) if name.startswith("P_block") else Name("L")
    for kind in VARIANTS:
        whole = quantities(kind)[name].general
        total = quantities(kind)["P_total"].general
        weight = Number(1) if name.startswith("P_") else Quotient(whole, total)
        norm = d if kind.norm == "rms" else 2 * d
        for of_layers, last in product(range(3), range(2)):
            yield Sum(
                (whole, Product((Number(-1), weight, Sum((Product((Number(of_layers), layers, norm)), Product((Number(last), norm)))))))
            )


def test_the_laws_hold_of_the_rewriting_itself():
    for at in range(300):
        seed = Random(f"itself {at}")
        assert same((each := equation(seed, change=False)).left, each.right)
        assert not same((each := equation(seed, change=True)).left, each.right)


# The book

BOOK = Path(__file__).parents[2] / "out"
CHAPTERS = sorted(BOOK.glob("*/*.md"))
TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)
DISPLAY = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.MULTILINE | re.DOTALL)
NOT_MATHEMATICS = re.compile(r"\\text\{[^}]*\}|\((?:\\text\{[^}]*\}|[^()\\])*\)(?= *\\cr| *$)|_\{[^}]*\}|_.|&&.*|\\[A-Za-z]+", re.MULTILINE)
LONG_NUMBER = re.compile(r"(?<![\d}^])\d{1,3}(?:\{,\}\d{3})+|(?<![\d^}])\d{4,}")
COEFFICIENT = re.compile(r"(?<![\d^{},.])\d{1,2}(?=[A-Za-z(]|\\)")
EXPONENT = re.compile(r"(?<=\^)\d")
NOT_READ = re.compile(r"\\partial|\\Delta|\\mathrm\{d\}|\\big\||\\text\{|\(2, 0\)|≤")
"""Derivatives, steps and vectors, which the checker does not read, and the reasons in brackets beside them."""
FEW = 2
"""Equations of a chapter that the checker may leave undecided: ratios under conditions that stand in the text."""


@pytest.mark.parametrize("chapter", [*CHAPTERS, *sorted(BOOK.glob("*/body/*.tex"))], ids=lambda path: path.relative_to(BOOK).as_posix())
def test_the_book_checks_itself(chapter):
    findings = check_text(chapter.read_text(encoding="utf-8"), chapter.suffix[1:], chapter.name).findings
    assert not [shown(finding) for finding in findings if finding.verdict == "wrong"]
    unchecked = [shown(finding) for finding in findings if finding.verdict == "unchecked" and not NOT_READ.search(finding.text)]
    assert len(unchecked) <= FEW, "\n".join(unchecked)


LEANS = re.compile(r"\\sum|\\Delta|\(2, 0\)|\A\\begin\{aligned\}\n\\frac")
"""What the checker does not read, and ratios, whose conditions stand in the text before them."""


def chapter_lines():
    """Each displayed derivation of two steps or more, with the table of symbols of its chapter."""
    for chapter in CHAPTERS:
        text = chapter.read_text(encoding="utf-8")
        table = TABLE.search(text)
        for display in DISPLAY.findall(text):
            if len(re.findall(r"=|\\approx|\\to", NOT_MATHEMATICS.sub("", display))) > 1 and not LEANS.search(display):
                yield chapter, f"{table[0] if table else ''}\n", display


LINES = list(chapter_lines())


def masked(display: str) -> str:
    """The display with everything that is not a number of the mathematics blotted out, place by place."""
    return NOT_MATHEMATICS.sub(lambda match: "\\" * len(match[0]), display)


def other_digit(text: str, seed: Random) -> str:
    """The number with one of its digits changed, and no zero in front."""
    at = seed.choice([at for at, letter in enumerate(text) if letter.isdigit()])
    choices = [digit for digit in "123456789" + ("0" if at else "") if digit != text[at]]
    return text[:at] + seed.choice(choices) + text[at + 1 :]


def spoiled(display: str, seed: Random) -> tuple[str, str] | None:
    """The display with a digit of one of its numbers changed, and what was changed."""
    kinds = [list(pattern.finditer(masked(display))) for pattern in (LONG_NUMBER, COEFFICIENT, EXPONENT)]
    if not any(kinds):
        return None
    place = seed.choice(seed.choice([places for places in kinds if places]))
    new = other_digit(display[place.start() : place.end()], seed)
    return display[: place.start()] + new + display[place.end() :], f"{place[0]} -> {new}"


def test_lines_of_the_book_alone_are_not_wrong():
    failures = []
    for chapter, table, display in LINES:
        wrong = [finding for finding in check_text(f"{table}\n$$\n{display}\n$$\n").findings if finding.verdict == "wrong"]
        failures += [f"{chapter.parent.name}/{chapter.name}: {shown(finding)}" for finding in wrong]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("group", range(ROUNDS))
def test_a_digit_changed_in_the_book_is_found(group):
    failures = []
    for at in range(100):
        seed = Random(f"book {group} {at}")
        _, table, display = seed.choice(LINES)
        change = spoiled(display, seed)
        if change is None:
            continue
        findings = check_text(f"{table}\n$$\n{change[0]}\n$$\n").findings
        if not any(finding.verdict == "wrong" for finding in findings):
            failures.append(f"{change[1]} in\n{change[0]}\n" + "\n".join(map(shown, findings)))
    assert not failures, f"{len(failures)}\n" + "\n".join(failures)
