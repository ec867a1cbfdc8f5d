"""The formula tree: what a formula looks like.

Terms and factors stay in the order in which they were written. The operators `+ - * / **` build tidy trees (numbers in
front, equal factors as powers, like terms gathered where the first of them stands; see `tidy`); the parser builds the
nodes themselves, as written. Two formulas are equal when they look alike; whether they *mean* the same is decided
in `derive.algebra`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import is_
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from derive.records import dataclass

if TYPE_CHECKING:
    from fractions import Fraction

    Rational: TypeAlias = int | Fraction

Operand: TypeAlias = Union["Formula", "Rational"]


class Formula:
    """A formula. Its nodes are `Number`, `Name`, `Sum`, `Product`, `Power`, `Quotient` and `Applied`."""

    __slots__ = ("_names",)
    _names: tuple[str, ...]

    def __add__(self, other: Operand) -> Formula:
        return _tidy.add((self, as_formula(other)))

    def __radd__(self, other: Operand) -> Formula:
        return _tidy.add((as_formula(other), self))

    def __sub__(self, other: Operand) -> Formula:
        return _tidy.add((self, -as_formula(other)))

    def __rsub__(self, other: Operand) -> Formula:
        return _tidy.add((as_formula(other), -self))

    def __neg__(self) -> Formula:
        return _tidy.multiply((Number(-1), self))

    def __mul__(self, other: Operand) -> Formula:
        return _tidy.multiply((self, as_formula(other)))

    def __rmul__(self, other: Operand) -> Formula:
        return _tidy.multiply((as_formula(other), self))

    def __truediv__(self, other: Operand) -> Formula:
        return _tidy.divide(self, as_formula(other))

    def __rtruediv__(self, other: Operand) -> Formula:
        return _tidy.divide(as_formula(other), self)

    def __pow__(self, exponent: Operand) -> Formula:
        return _tidy.power(self, as_formula(exponent))

    @property
    def latex(self) -> str:
        """The formula in LaTeX, terms in their own order."""
        from derive.formula.write import write_latex

        return write_latex(self)

    @property
    def text(self) -> str:
        """The formula in Unicode, for the terminal; `parse` reads it back."""
        from derive.formula.write import write_text

        return write_text(self)

    @property
    def code(self) -> str:
        """The formula as Python code with explicit `*` and `**`."""
        from derive.formula.write import write_code

        return write_code(self)

    @property
    def expr(self) -> Any:
        """The SymPy expression, each name a plain symbol."""
        from derive.formula.sympy_form import to_sympy

        return to_sympy(self)

    def substitute(self, replacements: Mapping[str, Operand]) -> Formula:
        """The tidy formula with names replaced, all at once."""
        from derive.formula.rewrite import substitute

        return substitute(self, replacements)

    def expand(self) -> Formula:
        """The formula multiplied out, terms in the order in which the products meet."""
        from derive.formula.rewrite import expand

        return expand(self)

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """The value with a number (or an array) for every name; exact for integers and fractions."""
        from derive.formula.rewrite import evaluate

        return evaluate(self, values)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that occur, each once, in the order in which they first stand; looked for once."""
        try:
            return self._names
        except AttributeError:
            found = tuple(_names(self))
            object.__setattr__(self, "_names", found)
            return found

    def __str__(self) -> str:
        return self.text

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$"


@dataclass(frozen=True, slots=True)
class Number(Formula):
    """An exact number; a fraction that is whole is stored as an integer."""

    value: Rational

    @property
    def shown(self) -> str | None:
        """How it was written, where that is not the plain number."""
        return None

    def __post_init__(self) -> None:
        if self.value.denominator == 1 and not isinstance(self.value, int):
            object.__setattr__(self, "value", self.value.numerator)


@dataclass(frozen=True, slots=True)
class Name(Formula):
    """A symbol of the vocabulary (`d_kv`) or a named quantity (`P_attn`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum(Formula):
    """Terms in their order; a term that is subtracted has a negative number in front."""

    terms: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Product(Formula):
    """Factors in their order."""

    factors: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Power(Formula):
    """`base ** exponent`."""

    base: Formula
    exponent: Formula


@dataclass(frozen=True, slots=True)
class Quotient(Formula):
    """`numerator / denominator`; a fraction of two whole numbers in lowest terms is a `Number`."""

    numerator: Formula
    denominator: Formula


@dataclass(frozen=True, slots=True)
class Applied(Formula):
    """An operator applied to formulas: a derivative, a limit, a square root; `write.OPERATORS` says how each is written.

    It stands on the left of a derivation, or is a root; the exact normal form does not reach into it.
    """

    operator: str
    arguments: tuple[Formula, ...]


def terms_of(formula: Formula) -> tuple[Formula, ...]:
    """The terms of a sum; any other formula is one term."""
    return formula.terms if isinstance(formula, Sum) else (formula,)


INFINITY = Name("∞")
"""What grows beyond all bounds tends to; it stands at the end of a limit and nowhere else."""

Dim: TypeAlias = int | Formula
"""A dimension: an integer, a formula, or (untyped) an array of integers; the functions of dimensions take all three."""


def as_formula(value: Operand) -> Formula:
    """The value as a formula; a number becomes a `Number`."""
    return value if isinstance(value, Formula) else Number(value)


def total(values: Iterable[Any]) -> Any:
    """The sum of integers, formulas or arrays; 0 for none."""
    terms = list(values)
    if any(isinstance(term, Formula) for term in terms):
        return _tidy.add(tuple(as_formula(term) for term in terms))
    return sum(terms)


def children(formula: Formula) -> tuple[Formula, ...]:
    """The parts of a node, left to right; none for a `Number` or a `Name`."""
    if isinstance(formula, (Number, Name)):  # asked so often that `match` would cost
        return ()
    if isinstance(formula, Product):
        return formula.factors
    if isinstance(formula, Sum):
        return formula.terms
    if isinstance(formula, Power):
        return (formula.base, formula.exponent)
    if isinstance(formula, Quotient):
        return (formula.numerator, formula.denominator)
    if isinstance(formula, Applied):
        return formula.arguments
    raise TypeError(f"not a formula node: {type(formula).__name__}")


def with_children(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    """The node with other parts, in their order; the node itself where they are its own."""
    if all(map(is_, parts, children(formula))):
        return formula
    if isinstance(formula, Product):
        return Product(parts)
    if isinstance(formula, Sum):
        return Sum(parts)
    if isinstance(formula, Power):
        return Power(*parts)
    if isinstance(formula, Quotient):
        return Quotient(*parts)
    if isinstance(formula, Applied):
        return Applied(formula.operator, parts)
    raise TypeError(f"a {type(formula).__name__} has no parts")


def _names(formula: Formula) -> dict[str, None]:
    """The names in the order in which they first stand."""
    found: dict[str, None] = {}
    ahead = [formula]
    while ahead:
        node = ahead.pop()
        if isinstance(node, Name):
            found[node.name] = None
        elif isinstance(node, Product):
            ahead.extend(node.factors[::-1])
        elif not isinstance(node, Number):
            ahead.extend(children(node)[::-1])
    return found


# The operators build nodes of this module, so they are imported when it is complete.
from derive.formula import tidy as _tidy  # noqa: E402
