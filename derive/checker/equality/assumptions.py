"""Two formulas that are equal under an assumption, in some reading of their letters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from derive.algebra.normal import equal
from derive.algebra.sampling import could_be_equal
from derive.checker.equality.bridges import assuming, bridges, sets_of
from derive.checker.equality.rational import opaque
from derive.checker.finding import Ruling
from derive.checker.scope.definitions import put_in
from derive.checker.scope.known import Known
from derive.formula.tree import Formula


def equal_under(left: Formula, right: Formula, known: Known) -> Ruling | None:
    """Equal under the smallest set of named assumptions, in the reading of the letters that makes it so."""
    left, right = opaque(put_in(left, known.definitions)), opaque(put_in(right, known.definitions))
    for at, meanings in enumerate(_readings(left, right, known)):
        free = tuple(bridge for bridge in bridges(meanings) if bridge.name not in known.definitions)
        for chosen in sets_of(free):
            if at and len(chosen) > 2:
                break
            sides = assuming(left, chosen), assuming(right, chosen)
            if could_be_equal(*sides) and equal(*sides):
                said = tuple(bridge.said for bridge in chosen)
                return Ruling("exact-under", "equal-under", f"equal with {', '.join(said)}", assumptions=said)
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
