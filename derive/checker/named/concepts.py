"""A formula for what the words before it name."""

from __future__ import annotations

from collections.abc import Iterator

from derive.checker.concepts import Concept, Match, concepts_of, match, miss, within
from derive.checker.finding import Ruling
from derive.checker.named.readings import facts, readings, translated
from derive.checker.scope.scope import Scope
from derive.errors import DeriveError
from derive.formula.tree import Formula, Name


def judge_by_concepts(label: str, context: str, formula: Formula, scope: Scope, *, loose: bool) -> Ruling | None:
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


_ALL_HEADS = frozenset(("d_kv = d", "h_kv = h", "multi-head attention"))


def _contradicted(found: Match, scope: Scope) -> Ruling | None:
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
                return Ruling("wrong", "quantity", f"that is {', '.join(found.assumptions)}, but {statement.reads_as}", found.whole.text)
    return None


def _matched(concept: Concept, found: Match, *, loose: bool) -> Ruling:
    title = concept.title.en
    if found.kind == "exact":
        return Ruling("exact", "equal-quantity", f"is the {title}", found.whole.text)
    said = ", ".join(found.assumptions)
    if found.kind == "under":
        return Ruling("exact-under", "equal-under", f"is the {title} with {said}", found.whole.text, assumptions=found.assumptions)
    dropped = tuple(f"{name} {formula.text}" for name, formula in found.dropped)
    under = f", with {said}" if said else ""
    sign = "" if loose else "; '=' stands for '≈'"
    message = f"the {title} without {', '.join(dropped)}{under}{sign}"
    return Ruling("approximation", "dropped-terms", message, found.whole.text, assumptions=found.assumptions, dropped=dropped)


def _missed(concept: Concept, formula: Formula, scope: Scope) -> Ruling | None:
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
        return Ruling(
            "unchecked", "undecided", f"not the {concept.title.en} as its letters were read; the nearest form is {found.nearest.text}"
        )
    return Ruling(
        "wrong",
        "quantity",
        f"{found.explanation or f'not the {concept.title.en}'}: it is {found.nearest.text}",
        found.nearest.text,
        residual=found.residual.text if found.residual is not None else None,
    )
