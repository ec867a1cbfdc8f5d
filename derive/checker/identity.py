"""Two sides that are formulas: the same function, equal under an assumption, one the leading part of the other, or different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from itertools import islice, product

from derive.algebra import polynomial
from derive.algebra.normal import Normal, difference, equal, normal, sign
from derive.algebra.polynomial import Polynomial, Ring
from derive.algebra.sampling import could_be_equal
from derive.checker.bridges import bridges, put_in, sets_of
from derive.checker.finding import Verdict
from derive.checker.rational import is_opaque, opaque
from derive.errors import DeriveError, UndecidedError
from derive.formula.tree import Formula, Number
from derive.records import dataclass

WIDE = frozenset("d d_q d_kv m m_e m_s V L n n_ctx d_h P_total D_tokens".split())
"""What grows in a large model: a term is small beside one that has a higher degree in these."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two formulas compare."""

    verdict: Verdict
    code: str
    message: str
    residual: Formula | None = None
    assumptions: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    relative_error: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What the document says so far: meanings of letters, what names stand for, and the values of letters."""

    meanings: Mapping[str, str] = field(default_factory=dict)
    definitions: Mapping[str, Formula] = field(default_factory=dict)
    values: Mapping[str, Fraction] = field(default_factory=dict)
    candidates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    certain: frozenset[str] = frozenset()
    sizes: Mapping[str, Formula] = field(default_factory=dict)
    beside: Mapping[str, Formula] = field(default_factory=dict)


def compare(left: Formula, right: Formula, known: Known, *, loose: bool) -> Comparison:
    """The verdict on `left = right`, both rational; `loose` where the relation is ≈."""
    left, right = opaque(left), opaque(right)
    if equal(left, right):
        return Comparison("exact", "equal-formulas", "equal")
    return (
        _by_definitions(left, right, known)
        or _under(left, right, known)
        or _by_values(left, right, known)
        or _leading_part(left, right, known, loose=loose)
        or _different(left, right, known, loose=loose)
    )


def _by_definitions(left: Formula, right: Formula, known: Known) -> Comparison | None:
    """Equal once what the document defined is put in."""
    for said in (known.definitions, {**known.sizes, **known.definitions}, {**known.beside, **known.definitions}):
        used = [name for name in dict.fromkeys((*left.names, *right.names)) if name in said]
        if used and _equal(*(opaque(_defined(side, said)) for side in (left, right))):
            return Comparison("exact", "equal-formulas", f"equal with {', '.join(f'{name} = {said[name].text}' for name in used)}")
    return None


def _equal(left: Formula, right: Formula) -> bool:
    """Whether two formulas are equal, as far as the algebra reaches."""
    try:
        return could_be_equal(left, right) and equal(left, right)
    except UndecidedError:
        return False


def _defined(formula: Formula, said: Mapping[str, Formula]) -> Formula:
    """The formula with what names stand for put in."""
    for _ in range(3):
        formula = formula.substitute({name: said[name] for name in formula.names if name in said})
    return formula


def _under(left: Formula, right: Formula, known: Known) -> Comparison | None:
    """Equal under the smallest set of named assumptions, in the reading of the letters that makes it so."""
    left, right = opaque(_defined(left, known.definitions)), opaque(_defined(right, known.definitions))
    for at, meanings in enumerate(_readings(left, right, known)):
        free = tuple(bridge for bridge in bridges(meanings) if bridge.name not in known.definitions)
        for chosen in sets_of(free):
            if at and len(chosen) > 2:
                break
            sides = put_in(left, chosen), put_in(right, chosen)
            if could_be_equal(*sides) and equal(*sides):
                said = tuple(bridge.said for bridge in chosen)
                return Comparison("exact-under", "equal-under", f"equal with {', '.join(said)}", assumptions=said)
    return None


MOST_READINGS = 24


def _readings(left: Formula, right: Formula, known: Known) -> Iterator[dict[str, str]]:
    """What the letters can mean together, the most probable first; those that only one side has vary first."""
    tied = [name for name in dict.fromkeys((*left.names, *right.names)) if name in known.meanings]
    first = {name: known.candidates.get(name, (known.meanings[name],))[0] for name in tied}
    private = [name for name in tied if (name in left.names) != (name in right.names)]
    seen: set[tuple[str, ...]] = set()
    for varying in (private, tied):
        choices = [known.candidates.get(name, (known.meanings[name],)) for name in varying]
        for chosen in islice(product(*choices), MOST_READINGS):
            reading = first | dict(zip(varying, chosen, strict=True))
            meanings = tuple(reading.values())
            if meanings not in seen and (reading == first or not _clash(reading)):
                seen.add(meanings)
                yield reading


_LENGTHS = frozenset("S T s t".split())
"""Letters of two sequence lengths, which are one in self-attention."""


def _clash(reading: dict[str, str]) -> bool:
    """Whether two letters mean the same, other than the two lengths of attention."""
    meanings = [meaning for letter, meaning in reading.items() if not (meaning == "n" and letter in _LENGTHS)]
    return len(set(meanings)) < len(meanings)


def _by_values(left: Formula, right: Formula, known: Known) -> Comparison | None:
    """Equal once the values of some letters are put in, as in `L·12d² = 384d²` with L = 32."""
    only = set(left.names) ^ set(right.names)
    values = {name: known.values[name] for name in only if name in known.values}
    if values and set(left.names) & set(right.names):
        sides = [side.substitute({name: Number(value) for name, value in values.items()}) for side in (left, right)]
        if equal(*sides):
            said = ", ".join(f"{name} = {value}" for name, value in values.items())
            return Comparison("exact", "equal-formulas", f"equal with {said}")
    return None


def _leading_part(left: Formula, right: Formula, known: Known, *, loose: bool) -> Comparison | None:
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
            return Comparison("approximation", "dropped-terms", message, dropped=dropped, relative_error=error)
    return None


def _dropped(whole: Formula, part: Formula, known: Known) -> tuple[str, ...]:
    """The terms of `whole` that `part` leaves out, if all the others are its own and those are small beside them."""
    from derive.algebra.arrange import as_terms

    ring = Ring(tuple(dict.fromkeys((*whole.names, *part.names))))
    one, other = _polynomial(normal(whole, ring)), _polynomial(normal(part, ring))
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


def _polynomial(form: Normal) -> tuple[Polynomial, int] | None:
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


def _different(left: Formula, right: Formula, known: Known, *, loose: bool) -> Comparison:
    """Proved different, or not decided where letters of one side may be tied to those of the other."""
    left, right = opaque(_defined(left, known.definitions)), opaque(_defined(right, known.definitions))
    names = set(left.names) | set(right.names)
    beyond = any(is_opaque(name) for name in names)
    own_left, own_right = set(left.names) - set(right.names), set(right.names) - set(left.names)
    unknown = {name for name in own_left | own_right if known.meanings.get(name) in (None, "other")}
    tied = own_left and own_right and not own_left | own_right <= known.certain
    if not beyond and not loose and sign(difference(left, right)):
        tied, unknown = False, set()  # no positive letters make the sides equal
    if beyond or tied or unknown or (loose and own_left | own_right):
        return Comparison("unchecked", "undecided", _undecided(own_left, own_right, beyond))
    if loose and _close(left, right, known):
        return Comparison("approximation", "near", "near at the sizes of the document")
    residual, text = _residual(left, right)
    return Comparison("wrong", "formula", f"the sides differ by {text}", residual)


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


def _residual(left: Formula, right: Formula) -> tuple[Formula | None, str]:
    """Right - left, factored where that is quick."""
    from derive.algebra.arrange import arranged

    form = difference(right, left)
    try:
        shown = arranged(form, right)
    except DeriveError:
        return None, "an expression that is too long to show"
    return shown, shown.text
