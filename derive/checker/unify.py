"""Numbers put in for letters: whether one formula is another with numbers where its letters stood."""

from __future__ import annotations

from fractions import Fraction

from derive.checker.values import UNIT_VALUES, value_of
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name, Number, Power, Product, Quotient, Sum, children


def unify(letters: Formula, numbers: Formula, found: dict[str, Fraction]) -> bool:
    """Whether `numbers` has the shape of `letters`; the values of the letters go to `found`."""
    match letters:
        case Number(value):
            return _value(numbers) == value
        case Name(name):
            put_in = _value(numbers)
            if put_in is None or found.get(name, put_in) != put_in:
                return False
            found[name] = put_in
            return True
        case Product(factors) if isinstance(numbers, Product):
            return _parts(_flat(factors), _flat(numbers.factors), found)
        case Sum() | Quotient() | Power() if type(letters) is type(numbers):
            return _parts(children(letters), children(numbers), found)
    return False


def _parts(letters: tuple[Formula, ...], numbers: tuple[Formula, ...], found: dict[str, Fraction]) -> bool:
    return len(letters) == len(numbers) and all(unify(one, other, found) for one, other in zip(letters, numbers, strict=True))


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
