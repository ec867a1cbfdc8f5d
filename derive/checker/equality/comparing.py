"""Two sides that are formulas: the same function, equal under an assumption, one the leading part of the other, or different."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from derive.algebra.normal import difference, equal, sign
from derive.algebra.sampling import could_be_equal
from derive.checker.equality.assumptions import equal_under
from derive.checker.equality.leading_part import leading_part
from derive.checker.equality.rational import is_opaque, opaque
from derive.checker.equality.slipped_power import slipped_power
from derive.checker.finding import Ruling
from derive.checker.scope.definitions import put_in
from derive.checker.scope.known import Known
from derive.errors import DeriveError, UndecidedError
from derive.formula.tree import Formula, Number


def compare(left: Formula, right: Formula, what_is_known: Callable[[], Known], *, loose: bool) -> Ruling:
    """The verdict on `left = right`, both rational; `loose` where the relation is ≈.

    What is known of the letters is asked for where the sides are not equal as they stand.
    """
    left, right = opaque(left), opaque(right)
    if equal(left, right):
        return Ruling("exact", "equal-formulas", "equal")
    known = what_is_known()
    return (
        _by_definitions(left, right, known)
        or equal_under(left, right, known)
        or _by_values(left, right, known)
        or leading_part(left, right, known, loose=loose)
        or (slipped_power(left, right) if loose else None)
        or _different(left, right, known, loose=loose)
    )


def _by_definitions(left: Formula, right: Formula, known: Known) -> Ruling | None:
    """Equal once what the document defined is put in."""
    for said in (known.definitions, {**known.sizes, **known.definitions}, {**known.beside, **known.definitions}):
        used = [name for name in dict.fromkeys((*left.names, *right.names)) if name in said]
        if used and _equal(*(opaque(put_in(side, said)) for side in (left, right))):
            return Ruling("exact", "equal-formulas", f"equal with {', '.join(f'{name} = {said[name].text}' for name in used)}")
    return None


def _equal(left: Formula, right: Formula) -> bool:
    """Whether two formulas are equal, as far as the algebra reaches."""
    try:
        return could_be_equal(left, right) and equal(left, right)
    except UndecidedError:
        return False


def _by_values(left: Formula, right: Formula, known: Known) -> Ruling | None:
    """Equal once the values of some letters are put in, as in `L·12d² = 384d²` with L = 32."""
    only = set(left.names) ^ set(right.names)
    values = {name: known.values[name] for name in only if name in known.values}
    if values and set(left.names) & set(right.names):
        sides = [side.substitute({name: Number(value) for name, value in values.items()}) for side in (left, right)]
        if equal(*sides):
            said = ", ".join(f"{name} = {value}" for name, value in values.items())
            return Ruling("exact", "equal-formulas", f"equal with {said}")
    return None


def _different(left: Formula, right: Formula, known: Known, *, loose: bool) -> Ruling:
    """Proved different, or not decided where letters of one side may be tied to those of the other."""
    left, right = opaque(put_in(left, known.definitions)), opaque(put_in(right, known.definitions))
    names = set(left.names) | set(right.names)
    beyond = any(is_opaque(name) for name in names)
    own_left, own_right = set(left.names) - set(right.names), set(right.names) - set(left.names)
    unknown = {name for name in own_left | own_right if known.meanings.get(name) in (None, "other")}
    tied = own_left and own_right and not own_left | own_right <= known.certain
    if not beyond and not loose and sign(difference(left, right)):
        tied, unknown = False, set()  # no positive letters make the sides equal
    if beyond or tied or unknown or (loose and own_left | own_right):
        return Ruling("unchecked", "undecided", _undecided(own_left, own_right, beyond))
    if loose and _close(left, right, known):
        return Ruling("approximation", "near", "near at the sizes of the document")
    residual = _residual(left, right)
    return Ruling("wrong", "formula", f"the sides differ by {residual or 'an expression that is too long to show'}", residual=residual)


def _undecided(left: set[str], right: set[str], opaque: bool) -> str:
    if opaque:
        return "not a rational formula; the sides are not proved equal"
    return f"not decided: how {', '.join(sorted(left | right))} are tied to each other is not known"


def _close(left: Formula, right: Formula, known: Known) -> bool:
    """Whether the sides are within five percent at the sizes of the document."""
    if not all(name in known.values for name in (*left.names, *right.names)):
        return False
    one, other = Fraction(left.evaluate(known.values)), Fraction(right.evaluate(known.values))
    return other != 0 and abs(one / other - 1) <= Fraction(1, 20)


def _residual(left: Formula, right: Formula) -> str | None:
    """Right - left, factored where that is quick; None where it is too long to show."""
    from derive.algebra.arrange import arranged

    form = difference(right, left)
    try:
        return arranged(form, right).text
    except DeriveError:
        return None
