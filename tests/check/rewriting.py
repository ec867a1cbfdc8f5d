"""Formulas rewritten at random without a change of value, changed at random in one place, and written in many letterings.

Everything is seeded. Nothing here uses the engine's algebra: values come from random numbers, so that these are a second
opinion on what is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum, children
from derive.symbols import BY_NAME

Path = tuple[int, ...]
ONE, TWO = Number(1), Number(2)


# Values


def value(formula: Formula, numbers: Mapping[str, Fraction]) -> Fraction:
    """The formula's value; exponents are whole."""
    match formula:
        case Number(number):
            return Fraction(number)
        case Name(name):
            return numbers[name]
        case Sum(terms):
            return sum((value(term, numbers) for term in terms), Fraction(0))
        case Product(factors):
            result = Fraction(1)
            for factor in factors:
                result *= value(factor, numbers)
            return result
        case Power(base, exponent):
            return value(base, numbers) ** int(value(exponent, numbers))
        case Quotient(numerator, denominator):
            return value(numerator, numbers) / value(denominator, numbers)
    raise TypeError(type(formula).__name__)


def points(names: tuple[str, ...], seed: Random, count: int = 3) -> Iterator[dict[str, Fraction]]:
    """Random whole numbers for every symbol of the vocabulary and every other name."""
    for _ in range(count):
        yield {name: Fraction(seed.randint(2, 40)) for name in dict.fromkeys((*BY_NAME, *names))}


def same(left: Formula, right: Formula, under: Callable[[dict], dict] = dict) -> bool:
    """Whether two formulas agree at random points, changed by the assumption `under`."""
    seed = Random(f"{left} {right}")
    return all(value(left, under(point)) == value(right, under(point)) for point in points((*left.names, *right.names), seed))


# Assumptions that people make; each sets a letter by means of others

ASSUMPTIONS: dict[str, tuple[str, Callable[[Mapping[str, Fraction]], Fraction]]] = {
    "d_q = d": ("d_q", lambda of: of["d"]),
    "d_kv = d": ("d_kv", lambda of: of["d"]),
    "d_kv = d_q": ("d_kv", lambda of: of["d_q"]),
    "d_kv = h_kv d_h": ("d_kv", lambda of: of["h_kv"] * of["d_h"]),
    "d_q = h d_h": ("d_q", lambda of: of["h"] * of["d_h"]),
    "d_kv = d_h": ("d_kv", lambda of: of["d_h"]),
    "d_h = d/h": ("d_h", lambda of: of["d"] / of["h"]),
    "h_kv = h": ("h_kv", lambda of: of["h"]),
    "h_kv = 1": ("h_kv", lambda of: Fraction(1)),
    "m = 4d": ("m", lambda of: 4 * of["d"]),
    "m = 8d/3": ("m", lambda of: Fraction(8, 3) * of["d"]),
    "m_e = m": ("m_e", lambda of: of["m"]),
    "m_s = m_e": ("m_s", lambda of: of["m_e"]),
    "E_s = 1": ("E_s", lambda of: Fraction(1)),
    "k = E": ("k", lambda of: of["E"]),
    "c = 1": ("c", lambda of: Fraction(1)),
    "c = 2": ("c", lambda of: Fraction(2)),
    "n_ctx = n": ("n_ctx", lambda of: of["n"]),
    "L_D = L": ("L_D", lambda of: of["L"]),
    "L_M = L": ("L_M", lambda of: of["L"]),
    "L_D = L - L_M": ("L_D", lambda of: of["L"] - of["L_M"]),
    "L_F = L": ("L_F", lambda of: of["L"]),
    "L_S = L": ("L_S", lambda of: of["L"]),
    "w = n": ("w", lambda of: of["n"]),
    "B = 1": ("B", lambda of: Fraction(1)),
    "N_d = 1": ("N_d", lambda of: Fraction(1)),
    "b = 1": ("b", lambda of: Fraction(1)),
    "b = 2": ("b", lambda of: Fraction(2)),
    "b = 4": ("b", lambda of: Fraction(4)),
    "d_v = d_n": ("d_v", lambda of: of["d_n"]),
    "r_q = d": ("r_q", lambda of: of["d"]),
    "r_kv = d": ("r_kv", lambda of: of["d"]),
}


def assuming(*assumptions: str) -> Callable[[dict], dict]:
    """The change of a point that makes these hold."""

    def under(point: dict) -> dict:
        changed = dict(point)
        for assumption in assumptions:
            name, rule = ASSUMPTIONS[assumption]
            changed[name] = rule(changed)
        return changed

    return under


def equal_under_something(left: Formula, right: Formula, most: int = 2) -> bool:
    """Whether some of the usual assumptions make the two agree."""
    letters = {*left.names, *right.names}
    usual = [each for each, (name, _) in ASSUMPTIONS.items() if name in letters]
    return any(same(left, right, assuming(*some)) for count in range(most + 1) for some in combinations(usual, count))


# Places in a tree


def places(formula: Formula, path: Path = ()) -> Iterator[tuple[Path, Formula]]:
    """Every node with the way to it."""
    yield path, formula
    for at, child in enumerate(children(formula)):
        yield from places(child, (*path, at))


def put(formula: Formula, path: Path, new: Formula) -> Formula:
    """The formula with another node at that place."""
    if not path:
        return new
    parts = list(children(formula))
    parts[path[0]] = put(parts[path[0]], path[1:], new)
    match formula:
        case Sum():
            return Sum(tuple(parts))
        case Product():
            return Product(tuple(parts))
        case Power():
            return Power(*parts)
    return Quotient(*parts)


def in_exponent(formula: Formula, path: Path) -> bool:
    """Whether the place is within an exponent."""
    for at in path:
        if isinstance(formula, Power) and at == 1:
            return True
        formula = children(formula)[at]
    return False


def factors_of(formula: Formula) -> tuple[Formula, ...]:
    return formula.factors if isinstance(formula, Product) else (formula,)


def product(*factors: Formula) -> Formula:
    """The product as it stands, ones left out."""
    flat = [each for factor in factors for each in factors_of(factor) if each != ONE]
    return ONE if not flat else flat[0] if len(flat) == 1 else Product(tuple(flat))


# Rewriting; each gives a node of the same value, or None where it does not apply


def shuffled(node: Formula, seed: Random) -> Formula | None:
    if not isinstance(node, (Sum, Product)):
        return None
    parts = list(children(node))
    seed.shuffle(parts)
    return type(node)(tuple(parts))


def multiplied_out(node: Formula, seed: Random) -> Formula | None:
    if not isinstance(node, Product):
        return None
    sums = [at for at, factor in enumerate(node.factors) if isinstance(factor, Sum)]
    if not sums:
        return None
    at = seed.choice(sums)
    before, after = node.factors[:at], node.factors[at + 1 :]
    return Sum(tuple(product(*before, term, *after) for term in children(node.factors[at])))


def factored(node: Formula, seed: Random) -> Formula | None:
    """Terms with a name in common, gathered behind it."""
    if not isinstance(node, Sum):
        return None
    shared = [name for name in node.names if sum(without(term, name) is not None for term in node.terms) > 1]
    if not shared:
        return None
    name = seed.choice(shared)
    inside = [rest for term in node.terms if (rest := without(term, name)) is not None]
    outside = [term for term in node.terms if without(term, name) is None]
    gathered = product(Name(name), Sum(tuple(inside)))
    return Sum((gathered, *outside)) if outside else gathered


def without(term: Formula, name: str) -> Formula | None:
    """The term divided by the name, where it is a factor."""
    factors = list(factors_of(term))
    for at, factor in enumerate(factors):
        if factor == Name(name):
            return product(*factors[:at], *factors[at + 1 :])
        if isinstance(factor, Power) and factor.base == Name(name) and factor.exponent == TWO:
            return product(*factors[:at], Name(name), *factors[at + 1 :])
    return None


def split_coefficient(node: Formula, seed: Random) -> Formula | None:
    """`4d` → (3d + d)."""
    factors = factors_of(node)
    if len(factors) < 2 or not isinstance(factors[0], Number) or factors[0].value < 2 or not isinstance(factors[0].value, int):
        return None
    part = seed.randint(1, factors[0].value - 1)
    return Sum((product(Number(part), *factors[1:]), product(Number(factors[0].value - part), *factors[1:])))


def spelled_out(node: Formula, seed: Random) -> Formula | None:
    """`d²` → dd."""
    if isinstance(node, Power) and node.exponent in (TWO, Number(3)):
        return Product((node.base,) * int(children(node)[1].value))  # type: ignore[attr-defined]
    return None


def bracketed(node: Formula, seed: Random) -> Formula | None:
    if not isinstance(node, Sum) or len(node.terms) < 3:
        return None
    at = seed.randint(2, len(node.terms) - 1)
    return Sum((Sum(node.terms[:at]), *node.terms[at:]))


def over_two(node: Formula, seed: Random) -> Formula | None:
    return Quotient(product(TWO, node), TWO) if isinstance(node, Product) else None


REWRITES = (shuffled, shuffled, multiplied_out, factored, factored, split_coefficient, spelled_out, bracketed, over_two)


def rewritten(formula: Formula, seed: Random, steps: int = 4) -> Formula:
    """The formula after some rewrites at random places."""
    for _ in range(seed.randint(1, steps)):
        rewrite = seed.choice(REWRITES)
        found = [
            (path, new) for path, node in places(formula) if not in_exponent(formula, path) and (new := rewrite(node, seed)) is not None
        ]
        if found:
            formula = put(formula, *seed.choice(found))
    return formula


# Mutations; each gives the formula with one change


def other_coefficient(formula: Formula, seed: Random) -> Formula | None:
    numbers = [(path, node) for path, node in places(formula) if isinstance(node, Number) and not in_exponent(formula, path)]
    if numbers and seed.random() < 0.8:
        path, node = seed.choice(numbers)
        return put(formula, path, Number(node.value + seed.choice((-1, 1) if abs(node.value) > 1 else (1, 2))))  # type: ignore[attr-defined]
    path, node = seed.choice([(path, node) for path, node in places(formula) if not in_exponent(formula, path)])
    return put(formula, path, product(Number(seed.randint(2, 4)), node))


def other_exponent(formula: Formula, seed: Random) -> Formula | None:
    raised = [(path, node) for path, node in places(formula) if isinstance(node, Power) and isinstance(node.exponent, Number)]
    if raised and seed.random() < 0.5:
        path, node = seed.choice(raised)
        return put(formula, path, Power(node.base, Number(node.exponent.value + 1)) if seed.random() < 0.5 else node.base)  # type: ignore[attr-defined]
    names = [
        (path, node)
        for path, node in places(formula)
        if isinstance(node, Name) and not in_exponent(formula, path) and not is_base(formula, path)
    ]
    if not names:
        return None
    path, node = seed.choice(names)
    return put(formula, path, Power(node, TWO))


def is_base(formula: Formula, path: Path) -> bool:
    """Whether the place is directly below an exponent."""
    for at in path[:-1]:
        formula = children(formula)[at]
    return isinstance(formula, Power)


def other_symbol(formula: Formula, seed: Random) -> Formula | None:
    path = seed.choice([path for path, node in places(formula) if isinstance(node, Name)])
    names = seed.choice([formula.names, tuple(BY_NAME)])
    return put(formula, path, Name(seed.choice(names)))


def dropped_term(formula: Formula, seed: Random) -> Formula | None:
    sums = [(path, node) for path, node in places(formula) if isinstance(node, Sum)]
    if not sums:
        return None
    path, node = seed.choice(sums)
    terms = list(node.terms)  # type: ignore[attr-defined]
    terms.pop(seed.randrange(len(terms)))
    return put(formula, path, terms[0] if len(terms) == 1 else Sum(tuple(terms)))


def doubled_term(formula: Formula, seed: Random) -> Formula | None:
    sums = [(path, node) for path, node in places(formula) if isinstance(node, Sum)]
    if not sums:
        return None
    path, node = seed.choice(sums)
    return put(formula, path, Sum((*node.terms, seed.choice(node.terms))))  # type: ignore[attr-defined]


MUTATIONS = {
    "coefficient": other_coefficient,
    "exponent": other_exponent,
    "symbol": other_symbol,
    "dropped": dropped_term,
    "doubled": doubled_term,
}


def mutated(formula: Formula, seed: Random) -> tuple[str, Formula]:
    """One change of a kind that applies, by which the value changes."""
    while True:
        kind = seed.choice(list(MUTATIONS))
        changed = MUTATIONS[kind](formula, seed)
        if changed is not None and not same(formula, changed):
            return kind, changed


# Writing

SPELLINGS: dict[str, tuple[str, ...]] = {
    "d": (r"d_{\text{model}}", r"d_{\mathrm{model}}", r"d_{model}", r"\text{hidden\_size}"),
    "L": (r"n_{\text{layers}}", r"n_{\rm layers}", r"n_{\text{layer}}", r"\mathrm{num\_layers}"),
    "h": (r"n_{\text{heads}}", r"n_{heads}", r"\text{num\_heads}"),
    "h_kv": (r"n_{\text{kv\_heads}}", r"\text{num\_kv\_heads}"),
    "d_h": (r"d_{\text{head}}", r"\text{head\_dim}"),
    "m": (r"d_{\text{ff}}", r"d_{ff}", r"\text{intermediate\_size}"),
    "V": (r"n_{\text{vocab}}", r"\text{vocab\_size}"),
    "E": (r"n_{\text{experts}}", r"\text{num\_experts}"),
    "n": (r"\text{seq\_len}",),
    "B": (r"\text{batch\_size}",),
}
CODE_SPELLINGS: dict[str, tuple[str, ...]] = {
    "d": ("d_model", "hidden_size", "n_embd"),
    "L": ("n_layers", "num_hidden_layers", "n_layer"),
    "h": ("n_heads", "num_attention_heads"),
    "h_kv": ("n_kv_heads", "num_key_value_heads"),
    "d_h": ("head_dim", "d_head"),
    "m": ("d_ff", "intermediate_size"),
    "V": ("vocab_size", "n_vocab"),
    "E": ("num_experts", "n_experts"),
    "n": ("seq_len",),
    "B": ("batch_size",),
}
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Pen:
    """How one author writes formulas: a language, a sign for products, and a lettering kept throughout."""

    language: str
    seed: Random
    times: tuple[str, ...]
    spelled: Mapping[str, str] = field(default_factory=dict)

    def name(self, name: str) -> str:
        if name in self.spelled:
            return self.spelled[name]
        letter, _, subscript = name.partition("_")
        if self.language != "latex" or not subscript:
            return name
        subscript = subscript.replace("_", ",")
        if len(subscript) == 1:
            return f"{letter}_{subscript}"
        return self.seed.choice(
            [rf"{letter}_{{\mathrm{{{subscript}}}}}", rf"{letter}_{{\text{{{subscript}}}}}", f"{letter}_{{{subscript}}}"]
        )

    def write(self, formula: Formula, least: str = "sum") -> str:
        """The formula, in brackets where it is a sum and stands in a product."""
        match formula:
            case Number(number):
                return self.number(Fraction(number), least)
            case Name(name):
                return self.name(name)
            case Sum(terms):
                return self.bracketed(self.sum(terms)) if least != "sum" else self.sum(terms)
            case Product(factors):
                return self.bracketed(self.product(factors)) if least == "base" else self.product(factors)
            case Power(base, exponent):
                return self.bracketed(self.power(base, exponent)) if least == "base" else self.power(base, exponent)
            case Quotient(above, below):
                return self.quotient(above, below, least)
        raise TypeError(type(formula).__name__)

    def number(self, number: Fraction, least: str) -> str:
        if number < 0:
            return self.bracketed(f"-{self.number(-number, 'sum')}") if least != "sum" else f"-{self.number(-number, 'sum')}"
        if number.denominator > 1:
            return self.quotient(Number(number.numerator), Number(number.denominator), least)
        return str(number.numerator)

    def bracketed(self, inner: str) -> str:
        if self.language != "latex":
            return f"({inner})"
        opening, closing = self.seed.choice([("(", ")"), ("(", ")"), (r"\left(", r"\right)"), ("[", "]"), (r"\big(", r"\big)")])
        return opening + inner + closing

    def sum(self, terms: tuple[Formula, ...]) -> str:
        text = self.write(terms[0])
        for term in terms[1:]:
            first, *rest = factors_of(term)
            if isinstance(first, Number) and first.value < 0:
                text += " - " + self.write(product(Number(-first.value), *rest), "product")
            else:
                text += " + " + self.write(term, "product")
        return text

    def product(self, factors: tuple[Formula, ...]) -> str:
        if isinstance(factors[0], Number) and factors[0].value < 0 and len(factors) > 1:
            return self.bracketed("-" + self.product(tuple(factors_of(product(Number(-factors[0].value), *factors[1:])))))
        text, times = self.write(factors[0], "factor"), self.seed.choice(self.times)
        for before, factor in pairwise(factors):
            written = self.write(factor, "factor")
            words = text.endswith("}") and self.is_word(before) and self.is_word(factor)
            text += (self.times[-1] if words else self.between(before, written, times)) + written
        return text

    def is_word(self, factor: Formula) -> bool:
        """Whether it is written as a word; two of them side by side would be one name."""
        return isinstance(factor, Name) and self.name(factor.name).startswith(("\\text", "\\mathrm"))

    def between(self, before: Formula, written: str, times: str) -> str:
        """The sign of the product; a number needs one before it, and code always."""
        strict = times if times.strip() not in INVISIBLE else self.times[-1]
        if written[0].isdigit() or (written.startswith(r"\frac") and isinstance(before, Number)):
            return strict
        return times

    def power(self, base: Formula, exponent: Formula) -> str:
        below, above = self.write(base, "base"), self.write(exponent)
        if self.language == "latex":
            return f"{below}^{above}" if len(above) == 1 and self.seed.random() < 0.6 else f"{below}^{{{above}}}"
        if self.language == "text" and above.isdigit():
            return below + above.translate(SUPERSCRIPTS)
        sign = "^" if self.language == "text" else "**"
        return f"{below}{sign}{above}" if above.isalnum() else f"{below}{sign}({above})"

    def quotient(self, above: Formula, below: Formula, least: str) -> str:
        if self.language == "latex":
            text = rf"{self.seed.choice(['frac', 'frac', 'dfrac', 'tfrac'])}{{{self.write(above)}}}{{{self.write(below)}}}"
            return self.bracketed("\\" + text) if least == "base" else "\\" + text
        return f"({self.write(above, 'factor')}/{self.write(below, 'base')})"


INVISIBLE = ("", r"\,", r"\thinspace")
LATEX_TIMES = (("", r" \cdot "), (" ", r" \times "), (r"\,", r" \cdot "), (r" \cdot ",), (r" \times ",), (r"\thinspace ", r" \cdot "))


def pen(seed: Random) -> Pen:
    """A pen of some language and lettering."""
    language = seed.choice(["latex", "latex", "latex", "text", "code"])
    spellings = SPELLINGS if language == "latex" else CODE_SPELLINGS
    spelled = {name: seed.choice(ways) for name, ways in spellings.items()} if seed.random() < 0.35 else {}
    if language == "latex":
        return Pen(language, seed, seed.choice(LATEX_TIMES), spelled)
    return Pen(language, seed, seed.choice([(" × ",), ("·",), (" * ",)]) if language == "text" else ("*",), spelled)
