"""A fit written out in the names of the formula that it was found for."""

from __future__ import annotations

from functools import lru_cache

from derive.checker.concepts.concept import Dropped, Match
from derive.checker.concepts.matching.fits import Fit, Judged
from derive.checker.concepts.matching.phrases import gathered
from derive.checker.concepts.matching.shapes import DEFINITIONS, Shape
from derive.formula.tree import Formula, Name, as_formula, total
from derive.records import dataclass


def written_out(found: Judged, formula: Formula) -> Match:
    """The verdict with its formulas, in the names of the formula."""
    dropped, whole = _written_out(found.fit, spelling(found.fit, formula), found.strict)
    return Match(found.kind, found.assumptions, dropped, whole)


@lru_cache(maxsize=4096)
def _written_out(fit: Fit, write: Spelling, strict: bool) -> tuple[tuple[Dropped, ...], Formula]:
    form = fit.plan.form
    _, _, dropped = gathered(form, fit.picked, fit.said, general=fit.plan.general, strict=strict)
    times = form.frames[fit.frame].factor
    left_out = tuple((name, write.of(as_formula(times * each))) for name, each in dropped)
    kept = (part.choices[index].formula for part, index in zip(form.parts, fit.picked, strict=True) if index is not None)
    return left_out, write.of(as_formula(times * as_formula(total((*kept, *(each for _, each in dropped))))))


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a form's formulas are written beside a formula: under the shape, and in its names for the sizes.

    `heads`: `h d_h`, not `d_q`; `rows`: `n_ctx`, not `n`.
    """

    shape: Shape
    heads: bool
    rows: bool

    def of(self, formula: Formula) -> Formula:
        """The formula in those names."""
        heads = dict(DEFINITIONS) if self.heads else {}
        rows: dict[str, Formula] = {"n": Name("n_ctx")} if self.rows else {}
        replaced = {**heads, **rows, **dict(self.shape.written)}
        return formula.substitute(replaced).substitute(replaced) if replaced else formula


def spelling(fit: Fit, beside: Formula) -> Spelling:
    """The names that the formula has for the sizes."""
    names = beside.names
    return Spelling(fit.plan.shape, "d_h" in names and "d_q" not in names, "n_ctx" in names and "n" not in names)
