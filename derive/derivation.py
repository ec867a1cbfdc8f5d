"""Derivations: lines that follow from one another, each proved before it can be printed.

`=` is proved by the exact normal form; `→` is a substitution with its condition, and so is proved as one; `≈` drops terms
that vanish against the rest under a named scaling. A step that does not hold raises `StepError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from derive.algebra.arrange import residual, simplified
from derive.algebra.leading import tends_to_one
from derive.algebra.normal import equal
from derive.costs import over
from derive.architecture.component import Component
from derive.architecture.model import Model, Part
from derive.errors import StepError
from derive.formula.rewrite import with_numbers
from derive.formula.tidy import divide
from derive.formula.tree import Formula, Name, Number, Product, Sum, as_formula
from derive.formula.write import latex_name
from derive.quantities import Quantity
from derive.text import Text

Relation = Literal["=", "≈", "→"]


@dataclass(frozen=True, slots=True)
class Step:
    """From one formula to the next.

    `given` are the conditions of a `→`; `scaling` the symbols that grow together under a `≈`.
    """

    relation: Relation
    action: Callable[[Formula], Formula]
    why: Text
    given: Mapping[str, Formula] | None = None
    scaling: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it is printed; `dropped` and `error` say what a `≈` left out, absolutely and relative to the exact value."""

    relation: Relation
    formula: Formula
    why: Text
    dropped: Formula | None = None
    error: Formula | None = None


@dataclass(frozen=True, slots=True)
class Derivation:
    """A left side and the proved lines that follow it."""

    left: Formula
    lines: tuple[Line, ...]
    definitions: Mapping[str, Formula]

    @property
    def result(self) -> Formula:
        """The formula of the last line."""
        return self.lines[-1].formula

    @property
    def expr(self) -> Any:
        """The last line as a SymPy expression."""
        return self.result.expr

    @property
    def latex(self) -> str:
        """All lines, aligned at their relations, in LaTeX."""
        signs = {"=": "=", "≈": r"\approx", "→": r"\to"}
        rows = [f"&{signs[line.relation]} {line.formula.latex}" for line in self.lines]
        body = " \\\\\n".join([f"{self.left.latex} {rows[0]}", *rows[1:]])
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def then(self, *steps: Step) -> Derivation:
        """The derivation carried on by steps; `StepError` names the first that does not hold."""
        derivation = self
        for step in steps:
            line = prove(derivation, step)
            derivation = Derivation(self.left, (*derivation.lines, line), self.definitions)
        return derivation


def derivation(quantity: Quantity, *steps: Step) -> Derivation:
    """The derivation of a named quantity from its tensors or its parts, carried on by further steps."""
    if isinstance(quantity.subject, Component):
        begun = _from_tensors(quantity, quantity.subject)
    else:
        begun = _from_parts(quantity, quantity.subject)
    occurring = {name: value for name, value in quantity.given.items() if name in begun.result.names}
    conditions = (given(occurring),) if occurring else ()
    return begun.then(*conditions, *steps)


def prove(before: Derivation, step: Step) -> Line:
    """The line that a step leads to; `StepError` where it does not follow."""
    old, new = before.result, step.action(before.result)
    left, right = old.substitute(before.definitions), new.substitute(before.definitions)
    if step.relation == "≈":
        return _approximation(before, step, new)
    if step.given is not None:
        left = left.substitute(step.given)
    if not equal(left, right):
        raise StepError(
            f"{before.left.text}: the step '{step.why.en}' does not hold: {old.text} {step.relation} {new.text} "
            f"differs by {residual(left, right).text}"
        )
    return Line(step.relation, new, step.why)


def _approximation(before: Derivation, step: Step, new: Formula) -> Line:
    old = before.result
    if not tends_to_one(new.substitute(before.definitions), old.substitute(before.definitions), step.scaling):
        raise StepError(
            f"{before.left.text}: the step '{step.why.en}' does not hold: {new.text} does not dominate {old.text} "
            f"as {', '.join(step.scaling)} grow"
        )
    dropped = residual(old, new)
    return Line("≈", new, step.why, dropped, divide(dropped, old))


# Steps


def given(conditions: Mapping[str, Formula], why: Text | None = None) -> Step:
    """Substitute symbols by formulas, all at once."""
    shown = ", ".join(f"{name} = {value.text}" for name, value in conditions.items())
    reason = why or Text(f"with {shown}", f"取 {shown}")
    return Step("→", lambda formula: formula.substitute(conditions), reason, dict(conditions))


def expanded() -> Step:
    """Multiply out and gather like terms."""
    return Step("=", simplified, Text("multiplied out", "展开"))


def factored() -> Step:
    """Write as a product of irreducible factors."""
    from derive.algebra.factor import factored as factor

    return Step("=", factor, Text("factored", "因式分解"))


def rewritten(formula: Formula, why: Text) -> Step:
    """Write the same formula another way; it has to be the same."""
    return Step("=", lambda _: formula, why)


def without(terms: Formula, scaling: tuple[str, ...], why: Text) -> Step:
    """Drop terms that vanish against the rest as the symbols of `scaling` grow together."""
    return Step("≈", lambda formula: _dropped(formula, terms), why, scaling=scaling)


def _dropped(formula: Formula, terms: Formula) -> Formula:
    """The formula less the terms; they may stand inside a product, whose other factors then multiply them."""
    return simplified_like(formula - terms, formula)


def simplified_like(formula: Formula, like: Formula) -> Formula:
    """The formula multiplied out in the order of another."""
    from derive.algebra.arrange import arranged
    from derive.algebra.normal import normal

    return arranged(normal(formula), like)


# From tensors and parts


def _from_tensors(quantity: Quantity, component: Component) -> Derivation:
    """First the tensors' sizes as listed, then the sum."""
    closed = as_formula(quantity.cost(component))
    sizes = [Product(tuple(map(as_formula, tensor.shape))) if len(tensor.shape) > 1 else as_formula(tensor.size) for tensor in component.tensors]
    names = ", ".join(tensor.name for tensor in component.tensors)
    whole = len(sizes) > 1 and equal(Sum(tuple(sizes)), closed)
    lines = [Line("=", Sum(tuple(sizes)), Text(f"elements of {names}", f"{names} 的元素数"))] if whole else []
    why = Text("like terms gathered", "合并同类项") if whole else Text(f"elements of {names}", f"{names} 的元素数")
    return Derivation(Name(quantity.name), (*lines, Line("=", closed, why)), {})


def _from_parts(quantity: Quantity, subject: Part | Model) -> Derivation:
    """First the parts by name, then their closed forms; the total over the tensors themselves must agree."""
    named = subject.abbreviated() if isinstance(subject, Model) else Model("", (subject,)).abbreviated()
    definitions = _definitions(quantity, subject)
    start = Line("=", as_formula(over(named, quantity.cost)), Text("the sum of the parts", "各部分之和"))
    begun = Derivation(Name(quantity.name), (start,), definitions)
    early = {name: formula for name, formula in definitions.items() if name in quantity.first}
    puts = [chosen for chosen in (early, definitions) if chosen]
    steps = [Step("=", _putting(chosen), Text("closed forms put in", "代入各部分的闭式")) for chosen in puts]
    done = begun.then(*steps)
    if not equal(done.result, as_formula(over(subject, quantity.cost))):
        raise StepError(f"{quantity.name}: the parts do not add up to the tensors of the whole")
    return done


def _putting(definitions: Mapping[str, Formula]) -> Callable[[Formula], Formula]:
    return lambda formula: formula.substitute(definitions)


def _definitions(quantity: Quantity, subject: Part | Model) -> dict[str, Formula]:
    """What each part's symbol stands for under the quantity's cost: one copy of it."""
    from dataclasses import replace

    parts = subject.components if isinstance(subject, Model) else Model("", (subject,)).components
    return {
        component.symbol: as_formula(quantity.cost(replace(component, copies=1, chosen=None)))
        for _, component in parts
    }


def numbers_put_in(formula: Formula, values: Mapping[str, int]) -> tuple[Formula, Formula]:
    """The formula with numbers standing in it, and the number it comes to."""
    return with_numbers(formula, values), Number(formula.evaluate(values))


__all__ = ["Derivation", "Line", "Step", "derivation", "latex_name"]
