"""What the letters of a formula can mean together, in the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from derive.checker.scope.definitions import TIED
from derive.checker.scope.scope import Scope
from derive.formula.tree import Formula, Name
from derive.symbols import BY_NAME

MOST_READINGS = 72


def readings(formula: Formula, scope: Scope) -> Iterator[dict[str, str]]:
    """What the letters can mean together, the most probable first; two letters mean the same only where each can mean nothing else."""
    names = formula.names
    choices = [scope.candidates(name) or ((name,) if name in BY_NAME else ("other",)) for name in names]
    if any("other" in each and len(each) == 1 for each in choices):
        return
    count = 0
    for chosen in islice(product(*choices), 4 * MOST_READINGS):
        meanings = dict(zip(names, chosen, strict=True))
        if "other" in chosen or _clash(meanings, scope):
            continue
        yield meanings
        count += 1
        if count >= MOST_READINGS:
            return


def _clash(meanings: dict[str, str], scope: Scope) -> bool:
    """Whether two letters would mean the same though one of them could mean something else."""
    seen: dict[str, str] = {}
    for name, meaning in meanings.items():
        if meaning in seen and (len(scope.candidates(name)) > 1 or len(scope.candidates(seen[meaning])) > 1):
            return True
        seen[meaning] = name
    return False


def translated(formula: Formula, reading: dict[str, str]) -> Formula:
    """The formula in the vocabulary's names."""
    replaced = {name: Name(meaning) for name, meaning in reading.items() if name != meaning}
    return formula.substitute(replaced) if replaced else formula


def facts(scope: Scope) -> dict[str, Formula]:
    """What the document itself said about sizes: `d_ff = 4 d_model`, `T = S`."""
    found: dict[str, Formula] = {}
    for name, definition in scope.definitions.items():
        meaning = scope.meaning(name)
        inner = {letter: scope.meaning(letter) for letter in definition.formula.names}
        if meaning in TIED and all(each in BY_NAME for each in inner.values()) and meaning not in inner.values():
            found[meaning] = translated(definition.formula, {letter: str(each) for letter, each in inner.items()})
    return found
