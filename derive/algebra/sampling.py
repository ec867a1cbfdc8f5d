"""Two formulas at one place: different values there prove them different; equal values prove nothing."""

from __future__ import annotations

from derive.errors import DeriveError
from derive.formula.tree import Formula

_PRIMES = (101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227)


def could_be_equal(left: Formula, right: Formula) -> bool:
    """False where the formulas have different values at a place of primes; True where they agree there, or cannot be evaluated."""
    names = sorted({*left.names, *right.names})
    place = {name: _PRIMES[at % len(_PRIMES)] + 2 * (at // len(_PRIMES)) for at, name in enumerate(names)}
    try:
        return bool(left.evaluate(place) == right.evaluate(place))
    except (DeriveError, TypeError):
        return True
