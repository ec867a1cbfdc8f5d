"""What `derive show` derives: a named quantity, with the reader's conditions and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from derive.agreement import check_own
from derive.algebra.factor import factored as factors
from derive.conditions import Sizes, check_together, check_window, read_conditions, read_sizes
from derive.derivation import Derivation, derivation_of, expanded, factored, numbers_put_in, worked_out
from derive.derivation import given as substituted
from derive.errors import UndecidedError
from derive.formula.inline import inline_text
from derive.formula.numbers import decimal
from derive.formula.tree import Formula, Number, Sum
from derive.quantities import Quantity, Variant, quantity


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
        return f"{self.quantity.name}: {inline_text(self.quantity.meaning.in_(language))} [{self.quantity.unit.in_(language)}]"


def show(
    name: str, given: str | None = None, at: str | None = None, *, expand: bool = False, factor: bool = False, **variant: Any
) -> Shown:
    """Derive a named quantity; then substitute conditions, expand or factor, and put numbers in.

    A condition that the quantity usually has (d_q = d) gives way to what `given` and `at` say of the same symbol.

    Raises `FormulaError` for an unknown quantity or symbol, for sizes that cannot be or contradict each other, and where a
    model at which numbers are wanted is of another kind; `ConfigError` for an unknown model.
    """
    conditions = read_conditions(given) if given is not None else {}
    sizes = read_sizes(at) if at is not None else Sizes({})
    notes = check_together(conditions, sizes, " with ".join(text for text in (given, at) if text))
    wanted = _unless_said(quantity(name, Variant(**variant)), conditions, sizes.numbers)
    derived = derivation_of(wanted)
    check_window(derived.result, conditions, sizes.numbers)
    if conditions:
        usual = {symbol: _under(wanted.given, value) for symbol, value in conditions.items()}
        occurring = {symbol: value for symbol, value in usual.items() if symbol in derived.result.names}
        notes += [f"{symbol} does not occur in {wanted.name}" for symbol in usual if symbol not in occurring]
        derived = derived.then(substituted(occurring)) if occurring else derived
    if wanted.general == quantity(name).general and Variant(**variant) != Variant():
        notes.append(f"{wanted.name} is the same for this kind of block")
    try:
        derived = derived.then(expanded()) if expand else derived
        if factor and isinstance(factors(derived.result), Sum):
            notes.append("it has no factors")
        elif factor:
            derived = derived.then(factored())
    except UndecidedError as error:
        notes.append(f"not multiplied out or factored: {error}")
    if at is not None:
        derived, found = _with_numbers(derived, sizes.numbers)
        notes += found
        if sizes.model is not None:
            worked = derived.result.value if isinstance(derived.result, Number) else None
            check_own(wanted.name, worked, sizes.model, sizes.numbers)
    return Shown(wanted, derived, tuple(notes))


def _under(given: Mapping[str, Formula], value: Formula) -> Formula:
    """What a symbol stands for under the usual conditions, as written where they do not concern it."""
    return value.substitute(given) if given.keys() & set(value.names) else value


def _unless_said(wanted: Quantity, conditions: Mapping[str, Formula], numbers: Mapping[str, int]) -> Quantity:
    """The quantity without those of its usual conditions that the reader's conditions or sizes overrule."""

    def holds(symbol: str, value: Formula) -> bool:
        if symbol in conditions:
            return False
        known = symbol in numbers and set(value.names) <= numbers.keys()
        return not known or value.evaluate(numbers) == numbers[symbol]

    return replace(wanted, given={symbol: value for symbol, value in wanted.given.items() if holds(symbol, value)})


def _with_numbers(derived: Derivation, sizes: Mapping[str, int]) -> tuple[Derivation, list[str]]:
    """The derivation with numbers put in and, where none is missing, worked out."""
    formula = derived.result
    derived = derived.then(numbers_put_in(sizes))
    missing = [name for name in formula.names if name not in sizes]
    if missing:
        return derived, [f"no number given for {', '.join(missing)}"]
    value = formula.evaluate(sizes)
    notes = [] if value.denominator == 1 else [f"not a whole number: about {decimal(value, 12)}"]
    return derived.then(worked_out()), notes
