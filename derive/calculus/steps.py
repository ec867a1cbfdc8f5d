"""Finite steps, since sizes are whole: one more layer, expert or vocabulary entry, doubling, padding, one more token."""

from __future__ import annotations

from dataclasses import dataclass

from derive.algebra.arrange import simplified
from derive.architecture.embeddings import embedding_and_head
from derive.calculus.subject import Subject
from derive.costs.parameters import parameters
from derive.derivation import Derivation, begin, expanded
from derive.errors import FormulaError
from derive.formula.tidy import add, divide, multiply
from derive.formula.tree import Applied, Formula, Name, Number, as_formula
from derive.quantities import quantity
from derive.quantities.quantity import s
from derive.text import Text


def one_more(of: Subject, name: str, count: int = 1) -> Derivation:
    """What `count` more of a size adds, exactly: P(x + 1) - P(x), multiplied out."""
    of.require((name,), "a step in")
    if count < 1:
        raise FormulaError("a step adds 1 at least", str(count))
    more = of.closed.substitute({name: Name(name) + count})
    why = Text(f"`{name} + {count}` against `{name}`", f"`{name} + {count}` 与 `{name}` 之差")
    return begin(_difference(of.asked, name, count), more - of.closed, why).then(expanded())


def multiplied(of: Subject, names: tuple[str, ...], factor: int = 2) -> Derivation:
    """By what factor the whole grows when sizes are multiplied together, such as doubling the width: P(2x)/P(x)."""
    of.require(names, "a multiple of")
    if factor < 2 or not names or len(set(names)) < len(names):
        raise FormulaError("a factor of at least 2 for different sizes", f"{factor} for {', '.join(names)}")
    larger = of.closed.substitute({name: factor * Name(name) for name in names})
    ratio = divide(larger, of.closed)
    shown = ", ".join(f"`{name}`" for name in names)
    why = Text(f"{shown} times {factor}", f"{shown} 乘以 {factor}")
    grown = of.asked
    for name in names:
        grown = Applied("times", (grown, Number(factor), Name(name)))
    return begin(divide(grown, of.asked), ratio, why).then(expanded())


def _difference(asked: Formula, name: str, count: int) -> Formula:
    if count == 1:
        return Applied("step", (asked, Name(name)))
    return add((Applied("more", (asked, Name(name), Number(count))), multiply((Number(-1), asked))))


def padded(size: int, multiple: int) -> int:
    """A size rounded up to a multiple, as vocabularies are padded: `padded(50257, 128) = 50304`."""
    if size < 1 or multiple < 1:
        raise FormulaError("sizes and multiples are positive whole numbers", f"{size}, {multiple}")
    return -(-size // multiple) * multiple


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of "one more token", what it adds and in which unit; with a bias on the output it may add more."""

    meaning: Text
    adds: Formula
    unit: Text
    with_bias: Formula | None = None


def one_more_token() -> tuple[Reading, ...]:
    """The five readings of "one more token", each from the costs themselves."""
    V, d, c = s("V"), s("d"), s("c")

    def row(bias: bool) -> Formula:
        def ends(size: Formula) -> Formula:
            return as_formula(parameters(embedding_and_head(size, d, c, bias=bias)))

        return simplified(ends(V + 1) - ends(V))

    elements, scalars = Text("elements", "元素"), Text("parameters", "参数")
    cached = quantity("N_kv")
    return (
        Reading(Text("one more token of a known vocabulary in the input", "输入中多一个已有词元"), Number(0), scalars),
        Reading(Text("parameters that the token passes through", "该词元经过的参数"), quantity("P_active").formula, scalars),
        Reading(Text("one more token in the key/value cache", "键值缓存中多一个词元"), cached.formula, elements),
        Reading(Text("one more entry of the vocabulary", "词表多一个条目"), row(bias=False), scalars, row(bias=True)),
        Reading(Text("one more position, in each hidden tensor", "多一个位置，每个隐藏张量"), d, elements),
    )
