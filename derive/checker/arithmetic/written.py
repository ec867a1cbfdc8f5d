"""The numbers of a formula as they are written, and with their prefixes read as powers of 1024."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.arithmetic.values import UNIT_VALUES
from derive.formula.statement import Written
from derive.formula.tree import Formula, Number, Product, Quotient, Sum, children
from derive.formula.units import BINARY, UNITS, scale


def written_numbers(formula: Formula) -> list[Written]:
    """The numbers in a formula that were written with fewer digits than they have, or a scale."""
    if isinstance(formula, Written):
        return [formula]
    return [found for child in children(formula) for found in written_numbers(child)]


def with_binary_prefixes(formula: Formula, units: frozenset[str]) -> tuple[Formula, dict[str, Fraction]]:
    """The formula and the values of its units when every prefix is a power of 1024: KB, 7M."""
    values = {word: UNIT_VALUES[word] for word in units}
    for word in units:
        if len(word) == 2 and word[0] in "kKMGTP" and word[1] in "Bb" and f"{word[0].upper()}iB" in UNITS:
            values[word] = UNIT_VALUES[f"{word[0].upper()}iB"]
    return _binary_scales(formula), values


def _binary_scales(formula: Formula) -> Formula:
    match formula:
        case Written() if formula.scale in BINARY:
            decimal, binary = scale(formula.scale), scale(BINARY[formula.scale])
            return Number(Fraction(formula.value) * (binary or 1) / (decimal or 1))
        case Sum(terms):
            return Sum(tuple(map(_binary_scales, terms)))
        case Product(factors):
            return Product(tuple(map(_binary_scales, factors)))
        case Quotient(numerator, denominator):
            return Quotient(_binary_scales(numerator), _binary_scales(denominator))
    return formula
