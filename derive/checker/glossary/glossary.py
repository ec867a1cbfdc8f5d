"""The glossary of a document: what each of its letters can mean, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from derive.checker.glossary.meanings import MEANINGS, possible
from derive.checker.glossary.reading import evidence
from derive.checker.glossary.said import Evidence
from derive.checker.glossary.words import meaning_of_word
from derive.documents.document import Document
from derive.records import dataclass


@dataclass(frozen=True, slots=True)
class Glossary:
    """Candidates for each letter, the most probable first; exactly one where the meaning is certain. `why` says how it is known."""

    meanings: Mapping[str, tuple[str, ...]]
    why: Mapping[str, str]


def glossary(document: Document, letters: Iterable[str], overrules: Mapping[str, str] | None = None) -> Glossary:
    """What `letters` mean in the document: as overruled, as its words say, by their names, or as the field uses them."""
    return glossary_from(evidence(document), letters, overrules)


def glossary_from(evidence: Iterable[Evidence], letters: Iterable[str], overrules: Mapping[str, str] | None = None) -> Glossary:
    """The glossary from evidence that was read before."""
    said = _by_letter(evidence)
    meanings: dict[str, tuple[str, ...]] = {}
    why: dict[str, str] = {}
    for letter in dict.fromkeys(letters):
        meanings[letter], why[letter] = _meaning(letter, said.get(letter, ()), overrules or {})
    taken = {candidates[0] for candidates in meanings.values() if len(candidates) == 1}
    taken |= {each.meaning for letter in said if letter not in meanings for each in said[letter]}
    ordered = {letter: _free_first(candidates, taken) if letter not in said else candidates for letter, candidates in meanings.items()}
    return Glossary(ordered, why)


def _by_letter(said: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for each in said:
        found.setdefault(each.letter, []).append(each)
    return found


def _meaning(letter: str, said: Sequence[Evidence], overrules: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    if letter in overrules:
        return (_named(overrules[letter]),), "as you say"
    if said:
        counts = Counter(each.meaning for each in said)
        candidates = tuple(meaning for meaning, _ in counts.most_common())
        return candidates, next(each.why for each in said if each.meaning == candidates[0])
    candidates = possible(letter)
    return candidates, "its name" if meaning_of_word(letter) else "usual in this field" if candidates else "not said"


def _named(meaning: str) -> str:
    """The meaning that a reader names: `hidden_size`, `d`, `P_total`."""
    return meaning if meaning in MEANINGS else meaning_of_word(meaning) or meaning


def _free_first(candidates: tuple[str, ...], taken: set[str]) -> tuple[str, ...]:
    """The candidates, those that another letter has last."""
    if len(candidates) < 2:
        return candidates
    return tuple(sorted(candidates, key=lambda meaning: meaning in taken))
