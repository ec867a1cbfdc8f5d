"""One formula that is the other without some of its smaller terms."""

from __future__ import annotations

from fractions import Fraction

from derive.algebra import polynomial
from derive.algebra.normal import Normal, normal
from derive.algebra.polynomial import Polynomial, Ring
from derive.checker.finding import Ruling
from derive.checker.scope.known import Known
from derive.errors import UndecidedError
from derive.formula.tree import Formula

WIDE = frozenset("d d_q d_kv m m_e m_s V L n n_ctx d_h P_total D_tokens".split())
"""What grows in a large model: a term is small beside one that has a higher degree in these."""


def leading_part(left: Formula, right: Formula, known: Known, *, loose: bool) -> Ruling | None:
    """One side is the other without some of its smaller terms."""
    for whole, part in ((left, right), (right, left)):
        try:
            dropped = _dropped(whole, part, known)
        except UndecidedError:
            continue
        if dropped:
            sign = "" if loose else "; '=' stands for '≈'"
            error = _error(whole, part, known)
            about = f" ({float(abs(error)):.2%} here)" if error is not None else ""
            message = f"drops {', '.join(dropped)}{about}{sign}"
            return Ruling("approximation", "dropped-terms", message, dropped=dropped, relative_error=error)
    return None


def _dropped(whole: Formula, part: Formula, known: Known) -> tuple[str, ...]:
    """The terms of `whole` that `part` leaves out, if all the others are its own and those are small beside them."""
    from derive.algebra.arrange import as_terms

    ring = Ring(tuple(dict.fromkeys((*whole.names, *part.names))))
    one, other = polynomial_of(normal(whole, ring)), polynomial_of(normal(part, ring))
    if one is None or other is None or not other:
        return ()
    (terms, below), (kept, under) = one, other
    terms, kept = {key: value * under for key, value in terms.items()}, {key: value * below for key, value in kept.items()}
    if any(terms.get(key) != value for key, value in kept.items()):
        return ()
    left_out = {key: value for key, value in terms.items() if key not in kept}
    if any(name not in known.meanings and name not in part.names for key in left_out for name, _ in ring.exponents(key)):
        return ()  # nobody knows how small that is
    wide = tuple(name for name in ring.names if known.meanings.get(name, name) in WIDE)
    if not wide or _highest(ring, left_out, wide) >= _highest(ring, kept, wide):
        return ()
    return tuple(as_terms(ring, {key: value}, None, below * under).text for key, value in left_out.items())


def polynomial_of(form: Normal) -> tuple[Polynomial, int] | None:
    """A polynomial with its common denominator, where no letter stands below."""
    above, below = polynomial.cancelled(form.ring, form.numerator, form.denominator)
    if len(below) == 1 and 0 in below:
        return above, below[0]
    return None


def _highest(ring: Ring, terms: Polynomial, wide: tuple[str, ...]) -> int:
    return max((sum(exponent for name, exponent in ring.exponents(key) if name in wide) for key in terms), default=0)


def _error(whole: Formula, part: Formula, known: Known) -> Fraction | None:
    """The relative error at the document's own sizes."""
    if not all(name in known.values for name in whole.names):
        return None
    exact = Fraction(whole.evaluate(known.values))
    return (Fraction(part.evaluate(known.values)) - exact) / exact if exact else None
