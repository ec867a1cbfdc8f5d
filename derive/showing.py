"""What `derive show` derives: a named quantity, with the reader's conditions and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from derive.counting import count
from derive.derivation import Derivation, Step, derivation_of, expanded, factored
from derive.derivation import given as substituted
from derive.errors import FormulaError
from derive.formula.numbers import decimal
from derive.formula.parse import parse_equations
from derive.formula.put_in import with_numbers
from derive.formula.tree import Formula, Name, Number
from derive.quantities import Quantity, Variant, quantity
from derive.symbols import BY_NAME
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Shown:
    """A quantity's derivation, and remarks for the reader that are not part of it."""

    quantity: Quantity
    derivation: Derivation
    notes: tuple[str, ...]

    @property
    def expr(self) -> Any:
        """The last line as a SymPy expression."""
        return self.derivation.expr

    @property
    def latex(self) -> str:
        """All lines in LaTeX."""
        return self.derivation.latex

    def _repr_latex_(self) -> str:
        return self.derivation._repr_latex_()

    def title(self, language: str = "en") -> str:
        """What the quantity is."""
        return f"{self.quantity.name}: {self.quantity.meaning.in_(language)} [{self.quantity.unit.in_(language)}]"


def show(
    name: str, given: str | None = None, at: str | None = None, *, expand: bool = False, factor: bool = False, **variant: Any
) -> Shown:
    """Derive a named quantity; then substitute conditions, expand or factor, and put numbers in.

    Raises `FormulaError` for an unknown quantity or symbol and for sizes that cannot be, `ConfigError` for an unknown model.
    """
    wanted = quantity(name, Variant(**variant))
    derived = derivation_of(wanted)
    notes: list[str] = []
    if given:
        equations = _conditions(given)
        notes += [f"{symbol} does not occur in {wanted.name}" for symbol in equations if symbol not in derived.result.names]
        occurring = {symbol: value for symbol, value in equations.items() if symbol in derived.result.names}
        derived = derived.then(substituted(occurring)) if occurring else derived
    derived = derived.then(*([expanded()] if expand else []), *([factored()] if factor else []))
    if at:
        derived, found = _with_numbers(derived, _sizes(at))
        notes += found
    return Shown(wanted, derived, tuple(notes))


def _conditions(text: str) -> dict[str, Formula]:
    """The equations of `--given`, each a symbol and what it stands for."""
    equations = dict(parse_equations(text))
    for symbol, value in equations.items():
        _known((symbol, *value.names), text)
        if symbol in value.names and value != Name(symbol):
            raise FormulaError(f"{symbol} is given in terms of itself", text)
        _possible(symbol, value, text)
    _consistent(equations, text)
    return equations


def _sizes(text: str) -> dict[str, int]:
    """The sizes of `--at`: equations between symbols and whole numbers, those of a model, or a model and then equations."""
    sizes: dict[str, int] = {}
    model, _, equations = text.partition(",")
    if "=" not in model:
        sizes.update(count(model.strip()).symbols)
        text = equations
    for symbol, value in (_conditions(text) if text.strip() or not sizes else {}).items():
        if value.names:
            raise FormulaError(f"{symbol} needs a number here; conditions go into --given", text)
        sizes[symbol] = int(value.evaluate({}))
    return sizes


def _known(names: tuple[str, ...], text: str) -> None:
    for name in names:
        if name not in BY_NAME:
            raise FormulaError(f"unknown symbol '{name}'; 'derive symbols' lists the known ones", text)


def _possible(symbol: str, value: Formula, text: str) -> None:
    """A size is a positive whole number, and c is 1 or 2."""
    if value.names:
        return
    number = value.evaluate({})
    if number.denominator != 1 or number < 1:
        raise FormulaError(f"{symbol} must be a positive whole number, not {value.text}", text)
    if symbol == "c" and number > 2:
        raise FormulaError("c is 1 (tied) or 2 (not tied)", text)


def _consistent(equations: Mapping[str, Formula], text: str) -> None:
    """No more experts chosen than there are."""
    k, E = equations.get("k"), equations.get("E")
    if k is not None and E is not None and not k.names and not E.names and k.evaluate({}) > E.evaluate({}):
        raise FormulaError(f"k = {k.text} experts chosen, but E = {E.text}", text)


def _with_numbers(derived: Derivation, sizes: Mapping[str, int]) -> tuple[Derivation, list[str]]:
    """The derivation with numbers put in and, where none is missing, worked out."""
    formula = derived.result
    put = with_numbers(formula, sizes)
    conditions = {name: Number(sizes[name]) for name in formula.names if name in sizes}
    derived = derived.then(Step("→", lambda _: put, Text("numbers put in", "代入数值"), conditions))
    missing = [name for name in formula.names if name not in sizes]
    if missing:
        return derived, [f"no number given for {', '.join(missing)}"]
    value = Number(formula.evaluate(sizes))
    notes = [] if value.value.denominator == 1 else [f"not a whole number: about {decimal(value.value, 12)}"]
    if put == value:
        return derived, notes
    return derived.then(Step("=", lambda _: value, Text("worked out", "算出"))), notes
