"""Numbers put in for letters: whether one formula is another with numbers where its letters stood."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from derive.checker.arithmetic.values import UNIT_VALUES, value_of
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum, children
from derive.records import dataclass


@dataclass(slots=True)
class PutIn:
    """The values that stand where the letters stood, and the numbers of the formula that are others there."""

    values: dict[str, Fraction] = field(default_factory=dict)
    slips: list[tuple[Fraction, Fraction]] = field(default_factory=list)


def numbers_put_in(letters: Formula, numbers: Formula) -> PutIn | None:
    """How `numbers` is `letters` with numbers put in; None where it has another shape, or more than one number differs.

    One number that differs, in a formula with several letters, is a slip of the pen; in `2N = 4·10^9` it is another computation.
    """
    found = PutIn()
    if isinstance(numbers, Number) or not _unify(letters, numbers, found) or not found.values:
        return None
    return found if not found.slips or (len(found.slips) == 1 and len(found.values) > 1) else None


def _unify(letters: Formula, numbers: Formula, found: PutIn) -> bool:
    match letters:
        case Number(value):
            other = _value(numbers)
            if other is not None and other != value:
                found.slips.append((Fraction(value), other))
            return other is not None
        case Name(name):
            put_in = _value(numbers)
            if put_in is None or found.values.get(name, put_in) != put_in:
                return False
            found.values[name] = put_in
            return True
        case Product(factors) if isinstance(numbers, Product):
            return _parts(_flat(factors), _flat(numbers.factors), found)
        case Sum() | Quotient() | Power() if type(letters) is type(numbers):
            return _parts(children(letters), children(numbers), found)
    return False


def _parts(letters: tuple[Formula, ...], numbers: tuple[Formula, ...], found: PutIn) -> bool:
    return len(letters) == len(numbers) and all(_unify(one, other, found) for one, other in zip(letters, numbers, strict=True))


def _flat(factors: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """Factors of factors side by side; a written 7·10^9 is one number."""
    flat: list[Formula] = []
    for factor in factors:
        flat.extend(_flat(factor.factors) if isinstance(factor, Product) else (factor,))
    joined: list[Formula] = []
    for factor in flat:
        ten = isinstance(factor, Power) and isinstance(factor.base, Number) and factor.base.value == 10
        if ten and joined and isinstance(joined[-1], Number) and joined[-1].value != 10:
            joined[-1] = Number(Fraction(joined[-1].value) * (_value(factor) or Fraction(1)))
        else:
            joined.append(factor)
    return tuple(joined)


def _value(formula: Formula) -> Fraction | None:
    try:
        return value_of(formula, UNIT_VALUES)
    except DeriveError:
        return None
