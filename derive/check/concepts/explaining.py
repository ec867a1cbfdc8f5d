"""What a difference between a formula and the nearest form is, in words."""

from __future__ import annotations

from collections.abc import Iterator

from derive.algebra.normal import equal
from derive.check.concepts.concept import Concept
from derive.check.concepts.matching import Fit, spelling
from derive.check.concepts.parameters import D, M, V, attention_weights
from derive.formula.tree import Formula, Number, as_formula, terms_of
from derive.formula.tidy import split
from derive.quantities.quantity import s


def explained(concept: Concept, fit: Fit, written: Formula, nearest: Formula, left: Formula) -> str:
    """One line on what the difference is: a part too many, a part that is missing, or another coefficient."""
    factor = as_formula(fit.form.frames[fit.frame].factor)
    say = spelling(fit, written).of
    for name, piece in _pieces(fit, concept):
        formula = say(as_formula(factor * piece))
        if equal(left, -formula):
            return f"missing {name}, {formula.text}"
        if equal(left, formula):
            return f"counts {formula.text} too much: {name}"
    return _coefficients(written, nearest) or f"{'+' if not left.text.startswith('-') else ''}{left.text} too much"


def _pieces(fit: Fit, concept: Concept) -> Iterator[tuple[str, Formula]]:
    """Things that are often forgotten or counted twice, by name."""
    times = s("L") if concept.object in ("model", "active model", "non-embedding") else Number(1)
    scale = 2 if concept.measure == "flops" else 1
    for part in fit.form.parts:
        for choice in part.choices:
            if choice.formula != Number(0):
                yield f"the {part.name}", choice.formula
    projections = (
        ("the key and value projections", attention_weights("K", "V")),
        ("one of the key and value projections", attention_weights("K")),
        ("the output projection", attention_weights("O")),
        ("one matrix of the feed-forward network", as_formula(D * M)),
        ("one norm", D),
        ("one norm with scale and shift", as_formula(2 * D)),
    )
    for name, formula in projections:
        yield name, as_formula(scale * times * formula)
    for name, formula in (("one embedding matrix, the untied head", as_formula(V * D)), ("one vector of width d", D)):
        yield name, as_formula(scale * formula)


def _coefficients(written: Formula, nearest: Formula) -> str:
    """Where the same term stands on both sides with another number."""
    ours = {frozenset(factors): number for number, factors in map(split, terms_of(nearest.expand()))}
    said = []
    for number, factors in map(split, terms_of(written.expand())):
        right = ours.get(frozenset(factors))
        if right is not None and right != number:
            term = as_formula(Number(1))
            for factor in factors:
                term = as_formula(term * factor)
            said.append(f"the coefficient of {term.text} is {Number(right).text}, not {Number(number).text}")
    return "; ".join(said)

