"""A named quantity and a formula for it, compared with the engine's own closed forms under every reading of the letters."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product

from derive.algebra.arrange import residual
from derive.checker.concepts import Concept, Match, concepts_of, match, miss, within
from derive.checker.finding import Verdict
from derive.checker.own_quantities import own_formula, own_match, own_name
from derive.checker.scope import TIED, Scope
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name
from derive.records import dataclass
from derive.symbols import BY_NAME

MOST_READINGS = 72


@dataclass(frozen=True, slots=True)
class Named:
    """The verdict on a formula for a named quantity, and the reading of the letters that it rests on."""

    verdict: Verdict
    code: str
    message: str
    right: Formula | None = None
    residual: Formula | None = None
    assumptions: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    relative_error: Fraction | None = None


def judge_named(label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Named | None:
    """The verdict on `label = formula`; None where the label names nothing that the engine knows, or nothing can be said."""
    own = own_name(label)
    if own is not None:
        return _own(own, label, context, formula, scope, loose=loose)
    return _by_concepts(label, context, formula, scope, loose=loose)


def _own(own: str, label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Named | None:
    """The engine's own name: its own closed form decides, and what that leaves open the concepts."""
    for reading in islice(readings(formula, scope), 8):
        assumed = own_match(own, translated(formula, reading))
        if assumed == ():
            return Named("exact", "equal-quantity", f"is {own}", own_formula(own))
        if assumed is not None:
            return Named("exact-under", "equal-under", f"is {own} with {', '.join(assumed)}", own_formula(own), assumptions=assumed)
    found = _by_concepts(label, context, formula, scope, loose=loose)
    if found is not None:
        return found
    if not _readable(formula, scope) or other_kind(own, formula, scope):
        return found
    right = own_formula(own)
    return Named("wrong", "quantity", f"not {own}, which is {right.text}", right, _difference(formula, right))


_KINDS = frozenset("L_D L_M L_F L_S E k m_e m_s E_s r_q r_kv d_n d_r d_v w P_mla".split())
"""What only some kinds of model have."""


def other_kind(own: str, formula: Formula, scope: Scope) -> bool:
    """Whether a total is that of a kind of model which the engine's own name does not speak of: a mixed one, one with latent attention."""
    if not own.startswith(("P_total", "P_active", "P_lin", "P_block", "F_", "M_")):
        return False
    foreign = {scope.likely(name) or name for name in formula.names} & _KINDS - set(own_formula(own).names)
    return len(foreign) > 1


def _readable(formula: Formula, scope: Scope) -> bool:
    """Whether every letter is surely a size of the vocabulary."""
    return all(scope.meaning(name) in BY_NAME or speaks_our_notation(name, scope) for name in formula.names)


def speaks_our_notation(name: str, scope: Scope) -> bool:
    """Whether a letter of the vocabulary may mean here what it means there."""
    return name in BY_NAME and (scope.meaning(name) == name or (name in scope.candidates(name) and "d" not in scope.candidates(name)[:1]))


def _difference(written: Formula, right: Formula) -> Formula | None:
    try:
        return residual(written, right)
    except DeriveError:
        return None


def _by_concepts(label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Named | None:
    """The concepts that a label can name, under every reading of the letters."""
    concepts = concepts_of(label, context)
    if not concepts:
        return None
    best: tuple[tuple[int, int, int, int], Concept, Match] | None = None
    for place, (concept, reading) in enumerate(_tries(concepts, formula, scope)):
        found = _match(concept, formula, reading, scope)
        if found is None:
            continue
        cost = ({"exact": 0, "under": 1, "approximation": 2}[found.kind], len(found.dropped), len(found.assumptions), place)
        if best is None or cost < best[0]:
            best = cost, concept, found
        if cost[0] == 0:
            break
    if best is not None:
        return _contradicted(best[2], scope) or _matched(best[1], best[2], loose=loose)
    return _missed(concepts[0], formula, scope) if concepts[0].sure else None


def _tries(concepts: tuple[Concept, ...], formula: Formula, scope: Scope) -> Iterator[tuple[Concept, dict[str, str]]]:
    for concept in concepts[:4]:
        for reading in readings(formula, scope):
            yield concept, reading


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


def _match(concept: Concept, formula: Formula, reading: dict[str, str], scope: Scope) -> Match | None:
    said = facts(scope)
    for known in ({}, said) if said else ({},):
        try:
            found = match(concept, translated(formula, reading), known)
        except DeriveError:
            continue
        if found is not None:
            return found
    return None


def facts(scope: Scope) -> dict[str, Formula]:
    """What the document itself said about sizes: `d_ff = 4 d_model`, `T = S`."""
    found: dict[str, Formula] = {}
    for name, definition in scope.definitions.items():
        meaning = scope.meaning(name)
        inner = {letter: scope.meaning(letter) for letter in definition.formula.names}
        if meaning in TIED and all(each in BY_NAME for each in inner.values()) and meaning not in inner.values():
            found[meaning] = translated(definition.formula, {letter: str(each) for letter, each in inner.items()})
    return found


_ALL_HEADS = frozenset(("d_kv = d", "h_kv = h", "multi-head attention"))


def _contradicted(found: Match, scope: Scope) -> Named | None:
    """Equal only if every head had its own keys and values, where the same sentence says that fewer have."""
    if not _ALL_HEADS & set(found.assumptions):
        return None
    for statement in scope.beside:
        left, *others = statement.sides
        if (
            len(others) == 1
            and isinstance(left.formula, Name)
            and scope.meaning(left.formula.name) == "h_kv"
            and "=" in statement.relations
        ):
            right = others[0].formula
            if (
                right.names
                and right != left.formula
                and not any(isinstance(right, Name) and scope.meaning(name) == "h" for name in right.names)
            ):
                return Named("wrong", "quantity", f"that is {', '.join(found.assumptions)}, but {statement.reads_as}", found.whole)
    return None


def _matched(concept: Concept, found: Match, *, loose: bool) -> Named:
    title = concept.title.en
    if found.kind == "exact":
        return Named("exact", "equal-quantity", f"is the {title}", found.whole)
    said = ", ".join(found.assumptions)
    if found.kind == "under":
        return Named("exact-under", "equal-under", f"is the {title} with {said}", found.whole, assumptions=found.assumptions)
    dropped = tuple(f"{name} {formula.text}" for name, formula in found.dropped)
    under = f", with {said}" if said else ""
    sign = "" if loose else "; '=' stands for '≈'"
    message = f"the {title} without {', '.join(dropped)}{under}{sign}"
    return Named("approximation", "dropped-terms", message, found.whole, assumptions=found.assumptions, dropped=dropped)


def _missed(concept: Concept, formula: Formula, scope: Scope) -> Named | None:
    """Wrong only where every letter is a size of ours in some reading, and none of the readings is the quantity."""
    reading = next(readings(formula, scope), None)
    if reading is None or not formula.names:
        return None
    try:
        found = miss(concept, translated(formula, reading), facts(scope))
    except DeriveError:
        return None
    certain = bool(concept.own) or all(scope.meaning(name) is not None for name in formula.names)
    misread = not concept.own and (found.explanation.startswith("this is") or not within(concept, translated(formula, reading)))
    if not certain or misread or not (concept.own or found.explanation):
        return Named(
            "unchecked", "undecided", f"not the {concept.title.en} as its letters were read; the nearest form is {found.nearest.text}"
        )
    return Named(
        "wrong",
        "quantity",
        f"{found.explanation or f'not the {concept.title.en}'}: it is {found.nearest.text}",
        found.nearest,
        found.residual,
    )
