"""Derivations: lines that follow from one another, each proved before it can be printed.

`=` is proved by the exact normal form; `→` is a substitution with its condition, and so is proved as one; `≈` drops terms
that vanish against the rest under a named scaling. A step that does not hold raises `StepError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from derive.algebra.arrange import arranged, residual, simplified
from derive.algebra.leading import limit_of, tends_to_one
from derive.algebra.normal import difference, equal, normal
from derive.architecture.component import Component
from derive.architecture.model import Model, Part
from derive.costs import over
from derive.costs.parameters import parameters
from derive.errors import StepError
from derive.formula.inline import inline_text
from derive.formula.put_in import with_numbers
from derive.formula.rewrite import put_in_side_by_side, tidied
from derive.formula.tidy import divide
from derive.formula.tree import Formula, Name, Number, Sum, as_formula, total
from derive.quantities import Counted, Listed, Quantity
from derive.text import Text

Relation = Literal["=", "≈", "→"]


@dataclass(frozen=True, slots=True)
class Step:
    """From one formula to the next.

    `given` are the conditions of a `→`; `scaling` the symbols that grow together under a `≈`, or under a `→` that is a limit.
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
        """The derivation carried on by steps; one that changes nothing adds no line. `StepError` names the first false one."""
        derivation = self
        for step in steps:
            line = prove(derivation, step)
            if line.formula != derivation.result:
                derivation = Derivation(self.left, (*derivation.lines, line), self.definitions)
        return derivation


def derivation_of(quantity: Quantity, *steps: Step) -> Derivation:
    """The derivation of a named quantity from its tensors or its parts, carried on by further steps."""
    if isinstance(quantity, Listed):
        begun = _from_list(quantity)
    elif isinstance(quantity, Counted) and isinstance(quantity.subject, Component):
        begun = _from_tensors(quantity, quantity.subject)
    elif isinstance(quantity, Counted):
        begun = _from_parts(quantity, quantity.subject)
    else:
        raise TypeError(f"{quantity.name}: no way to derive a {type(quantity).__name__}")
    occurring = {name: value for name, value in quantity.given.items() if name in begun.result.names}
    conditions = (given(occurring),) if occurring else ()
    return begun.then(*conditions, *steps)


def prove(before: Derivation, step: Step) -> Line:
    """The line that a step leads to; `StepError` where it does not follow."""
    old, new = before.result, step.action(before.result)
    left, right = old.substitute(before.definitions), new.substitute(before.definitions)
    if step.relation == "≈":
        return _approximation(before, step, new)
    if step.scaling:
        return _limit(before, step, new)
    if step.given is not None:
        left = left.substitute(step.given)
    if not equal(left, right):
        raise StepError(
            f"{before.left.text}: the step '{inline_text(step.why.en)}' does not hold: {old.text} {step.relation} {new.text} "
            f"differs by {residual(left, right).text}"
        )
    return Line(step.relation, new, step.why)


def _limit(before: Derivation, step: Step, new: Formula) -> Line:
    """A `→` under a scaling: the formula tends to the new one, or grows beyond all bounds."""
    expected = limit_of(before.result.substitute(before.definitions), step.scaling)
    if new != expected and not equal(new, expected):
        raise StepError(f"{before.left.text}: as {', '.join(step.scaling)} grow, it tends to {expected.text}, not to {new.text}")
    return Line("→", new, step.why)


def _approximation(before: Derivation, step: Step, new: Formula) -> Line:
    old = before.result
    if not tends_to_one(new.substitute(before.definitions), old.substitute(before.definitions), step.scaling):
        raise StepError(
            f"{before.left.text}: the step '{inline_text(step.why.en)}' does not hold: {new.text} does not dominate {old.text} "
            f"as {', '.join(step.scaling)} grow"
        )
    dropped = residual(old, new)
    return Line("≈", new, step.why, dropped, simplified(divide(dropped, old)))


def begin(left: Formula, right: Formula, why: Text) -> Derivation:
    """A derivation of one line, whose caller has proved it."""
    return Derivation(left, (Line("=", right, why),), {})


# Steps


def given(conditions: Mapping[str, Formula], why: Text | None = None) -> Step:
    """Substitute symbols by formulas, all at once."""
    shown = [f"`{name} = {value.text}`" for name, value in conditions.items()]
    reason = why or Text(f"with {', '.join(shown)}", f"取 {'、'.join(shown)}")
    return Step("→", lambda formula: formula.substitute(conditions), reason, dict(conditions))


def expanded() -> Step:
    """Multiply out and gather like terms."""
    return Step("=", simplified, Text("multiplied out", "展开"))


def factored() -> Step:
    """Write as a product of irreducible factors."""
    from derive.algebra.factor import factored as factor

    return Step("=", factor, Text("factored", "因式分解"))


def numbers_put_in(sizes: Mapping[str, Any]) -> Step:
    """Numbers where the symbols stood, not yet worked out."""
    conditions = {name: Number(size) for name, size in sizes.items()}
    return Step("→", lambda formula: with_numbers(formula, sizes), Text("numbers put in", "代入数值"), conditions)


def worked_out() -> Step:
    """The one number that a formula of numbers comes to."""
    return Step("=", lambda formula: Number(formula.evaluate({})), Text("worked out", "算出"))


def rewritten(formula: Formula, why: Text) -> Step:
    """Write the same formula another way; it has to be the same."""
    return Step("=", lambda _: formula, why)


def limit(scaling: tuple[str, ...]) -> Step:
    """Let symbols grow in fixed proportion, all others fixed."""
    en, zh = (mark.join(f"`{name}`" for name in scaling) for mark in (", ", "、"))
    if len(scaling) > 1:
        why = Text(f"as {en} grow without bound, in fixed proportion", f"{zh} 按固定比例一同趋于无穷")
    else:
        why = Text(f"as {en} grows without bound", f"{zh} 趋于无穷")
    return Step("→", lambda formula: limit_of(formula, scaling), why, scaling=scaling)


def without(terms: Formula, scaling: tuple[str, ...], why: Text) -> Step:
    """Drop terms that vanish against the rest as the symbols of `scaling` grow together."""
    return Step("≈", lambda formula: _dropped(formula, terms), why, scaling=scaling)


def _dropped(formula: Formula, terms: Formula) -> Formula:
    """The formula without terms that it has; `StepError` for terms that it does not have."""
    rest = difference(formula, terms)
    whole = normal(formula, rest.ring)
    if rest.denominator == whole.denominator and not all(whole.numerator.get(part) == value for part, value in rest.numerator.items()):
        raise StepError(f"{terms.text} cannot be dropped from {formula.text}, which does not have these terms")
    return arranged(rest, formula)


# From tensors and parts


def _from_list(quantity: Listed) -> Derivation:
    """First the terms as listed, then the sum, then what their names stand for; it must equal the whole."""
    terms = tuple(term for _, term in quantity.terms)
    reasons = [why for why, _ in quantity.terms]
    listed = Text("; ".join(why.en for why in reasons), "；".join(why.zh for why in reasons))
    gathered = as_formula(total(terms))
    lines = [Line("=", gathered, listed)]
    if len(terms) > 1 and Sum(terms) != gathered:
        lines = [Line("=", Sum(terms), listed), Line("=", gathered, Text("like terms gathered", "合并同类项"))]
    begun = Derivation(Name(quantity.name), tuple(lines), quantity.definitions)
    done = _put_in(begun, quantity.definitions, Text("closed forms put in", "代入闭式"))
    if quantity.whole is not None and not equal(done.result.substitute(quantity.given), quantity.whole.substitute(quantity.given)):
        raise StepError(f"{quantity.name}: the terms do not add up to the whole, {quantity.whole.text}")
    return done


def _from_tensors(quantity: Counted, component: Component) -> Derivation:
    """First the tensors' sizes as listed, then the sum."""
    sizes = tuple(as_formula(tensor.copies * tensor.size) for tensor in component.tensors)
    closed = as_formula(quantity.cost(component))
    elements = _elements_of(component) if quantity.cost is parameters else Text("a multiply-add for each element", "每个元素一次乘加")
    lines = [Line("=", closed, elements)]
    if len(sizes) > 1 and equal(Sum(sizes), closed) and Sum(sizes) != closed:
        lines = [Line("=", Sum(sizes), elements), Line("=", closed, Text("like terms gathered", "合并同类项"))]
    return Derivation(Name(quantity.name), tuple(lines), {})


def _elements_of(component: Component) -> Text:
    names = [f"`{tensor.name}`" for tensor in component.tensors]
    stored = "" if all(tensor.copies == 1 for tensor in component.tensors) else " as often as stored"
    return Text(f"elements of {', '.join(names)}{stored}", f"{'、'.join(names)} 的元素数{'（按存储份数）' if stored else ''}")


def _from_parts(quantity: Counted, subject: Part | Model) -> Derivation:
    """First the parts by name, then their closed forms; the total over the tensors themselves must agree."""
    model = subject if isinstance(subject, Model) else Model("", (subject,))
    definitions = _definitions(quantity, model)
    named = as_formula(over(model.abbreviated(tuple(definitions)), quantity.cost))
    why = Text("the sum of the parts", "各部分之和") if definitions else Text("summed over the layers", "对各层求和")
    begun = Derivation(Name(quantity.name), (Line("=", named, why),), definitions)
    early = {name: formula for name, formula in definitions.items() if name in quantity.first}
    done = _put_in(begun, early, Text("closed forms put in", "代入闭式"))
    done = _put_in(done, definitions, Text(f"{'the remaining ' if early else ''}closed forms put in", f"代入{'其余' if early else ''}闭式"))
    if not equal(done.result, as_formula(over(model, quantity.cost))):
        raise StepError(f"{quantity.name}: the parts do not add up to the tensors of the whole")
    return done


def _put_in(begun: Derivation, definitions: Mapping[str, Formula], why: Text) -> Derivation:
    """The derivation with the names that occur replaced by what they stand for."""
    if not definitions.keys() & set(begun.result.names):
        return begun
    closed = begun.result.substitute(definitions)
    apart = put_in_side_by_side(begun.result, definitions)
    if tidied(apart) != closed:  # a number before brackets went into them
        return begun.then(Step("=", lambda _: closed, why))
    gathered = Text("like terms gathered", "合并同类项")
    return begun.then(Step("=", lambda _: apart, why), Step("=", lambda _: closed, gathered))


def _definitions(quantity: Counted, model: Model) -> dict[str, Formula]:
    """What each part's symbol stands for: the parameters of one copy. A part of which the cost counts less has no symbol."""
    found = {}
    for _, component in model.components:
        if not component.tensors:
            continue
        one = replace(component, copies=1, chosen=None)
        if quantity.cost(one) in (0, one.formula):
            found[component.symbol] = one.formula
    return found
