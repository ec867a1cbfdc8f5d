"""What a scaling question is about: a named quantity, or a formula of quantities and symbols, under conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from derive.conditions import read_conditions
from derive.errors import FormulaError
from derive.formula.parse import parse
from derive.formula.rewrite import tidied
from derive.formula.tree import Formula, Name
from derive.quantities import DEFAULT_VARIANT, Variant, quantities
from derive.symbols import BY_NAME


@dataclass(frozen=True, slots=True)
class Subject:
    """The formula as asked, its closed form in general, and that under the conditions; each quantity in it likewise."""

    asked: Formula
    general: Formula
    closed: Formula
    conditions: Mapping[str, Formula]
    quantities: Mapping[str, Formula]

    def require(self, names: tuple[str, ...], what: str) -> None:
        """`FormulaError` for a symbol that the closed form does not hold."""
        for name in names:
            if name not in BY_NAME:
                raise FormulaError(f"unknown symbol '{name}'; 'derive symbols' lists the known ones", name)
            if name not in self.closed.names:
                raise FormulaError(f"{what} {name}, which does not occur in {self.closed.text}", name)


def subject(text: str, given: str | None = None, variant: Variant = DEFAULT_VARIANT) -> Subject:
    """Read a quantity or a formula, put closed forms and conditions in.

    A usual condition of a quantity (d_q = d) gives way to what `given` says of the same symbol. Raises `FormulaError`.
    """
    asked = parse(text)
    known = quantities(variant)
    by_lower = {name.lower(): name for name in known}
    named = {name: by_lower[name.lower()] for name in asked.names if name not in BY_NAME and name.lower() in by_lower}
    for name in asked.names:
        if name not in BY_NAME and name not in named:
            raise FormulaError(f"'{name}' is neither a symbol nor a quantity; see 'derive symbols' and 'derive quantities'", text)
    asked = asked.substitute({name: Name(proper) for name, proper in named.items()}) if named else asked
    conditions = read_conditions(given) if given is not None else {}
    forms = {}
    for name in named.values():
        usual = {symbol: value for symbol, value in known[name].given.items() if symbol not in conditions}
        forms[name] = known[name].general.substitute(usual)
    general = tidied(asked.substitute(forms))
    closed = {name: form.substitute(conditions) for name, form in forms.items()}
    return Subject(asked, general, general.substitute(conditions), conditions, closed)
