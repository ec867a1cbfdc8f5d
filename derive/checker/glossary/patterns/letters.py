"""Definitions that begin with the letter: "h is the hidden size", "L layers", "h (hidden size)", "h = hidden_size"."""

from __future__ import annotations

from derive.checker.glossary.lines.items import Item
from derive.checker.glossary.meanings import OTHER, possible
from derive.checker.glossary.patterns.clause import ARTICLES, HYPHENED, UNNAMED_HEADS, Clause, Found, plausible
from derive.checker.glossary.said import Evidence
from derive.checker.glossary.wordings.phrases import is_other, meant
from derive.checker.glossary.words import meaning_of_word
from derive.symbols import BY_NAME

_MOST_NAMES = 12


def read_letter(clause: Clause, at: int) -> Found | None:
    """What is said about the name at `at` by what follows it."""
    name = clause.name_alone(at)
    if name is None:
        return _hyphened(clause, at)
    return (
        _several(clause, at, name)
        or _defined(clause, at, name)
        or _same_as(clause, at, name)
        or _explained(clause, at, name)
        or _apposed(clause, at, name)
        or _counting(clause, at, name)
        or _hyphened(clause, at)
        or _valued(clause, at, name)
    )


def _several(clause: Clause, at: int, first: Item) -> Found | None:
    """`b`, `s` and `h` are the batch size, the sequence length and the hidden size."""
    names, end = [first], at + 1
    while clause.at(end).kind == "separator" and len(names) < _MOST_NAMES:
        behind = end + 2 if clause.at(end + 1).kind == "separator" else end + 1
        name = clause.name_alone(behind)
        if name is None:
            break
        names.append(name)
        end = behind + 1
    link = clause.at(end)
    together = link.link in ("each", "denotes") or link.text in ("are", "be", "为", "是", "being")
    return Found(_meanings_in_order(clause, names, end + 1), end + 1) if len(names) > 1 and together else None


def _meanings_in_order(clause: Clause, names: list[Item], at: int) -> tuple[Evidence, ...]:
    """One wording for each name; none where there are fewer wordings or more."""
    said: list[Evidence] = []
    for name in names:
        start = clause.past_fillers(at)
        wording = clause.wording(start)
        if wording is None or clause.narrowed(start):
            return ()
        meaning = meant(wording, name.text)
        if meaning:
            said.append(clause.evidence(name, meaning, names[0], clause.at(start)))
        at = start + 1
        while clause.at(at).kind == "separator":
            at += 1
    more = clause.at(at - 1).kind == "separator" and clause.wording(clause.past_fillers(at)) is not None
    return () if more else tuple(said)


def _defined(clause: Clause, at: int, name: Item) -> Found | None:
    """`h` is the hidden size; let `d` denote the model dimension; `s`：序列长度."""
    link = clause.at(at + 1)
    if link.link in (None, "each") or (link.link == "back" and link.text not in ("定义为", "表示为")):
        return None
    start = clause.past_fillers(at + 2)
    wording = clause.wording(start)
    if wording is None:
        return _other(clause, at, start, name)
    meaning = meant(wording, name.text)
    if meaning is None or clause.narrowed(start):
        return None
    usual = plausible(name, meaning)
    a_verb = link.link in ("is", "denotes")
    if wording.manner != "full" and (a_verb or not usual):
        return None
    if name.marked or usual or (a_verb and name.text not in ARTICLES):
        return clause.evidence_and_value(name, meaning, name, clause.at(start), start + 1)
    return None


def _other(clause: Clause, at: int, start: int, name: Item) -> Found | None:
    """`W` is the weight matrix: no size."""
    link = clause.at(at + 1)
    a_sign = link.link in ("=", ":", "-")
    if meaning_of_word(name.text) or (not name.marked and (len(name.text) > 1 or name.text in ARTICLES or a_sign)):
        return None
    end = start
    while end < start + 12 and (clause.at(end).kind in ("word", "wording", "filler") or clause.at(end).text in ("of", "by")):
        end += 1
    words = clause.words(start, end)
    article = clause.at(at + 2).kind == "filler" or not link.text.isascii()
    if not is_other(words) or not (article or a_sign or link.link == "denotes" or len(words) > 1):
        return None
    return Found((clause.evidence(name, OTHER, name, clause.at(end - 1)),), end)


def _same_as(clause: Clause, at: int, first: Item) -> Found | None:
    """`h` = hidden_size; `hidden_size` (`h`)."""
    between, second = clause.at(at + 1), clause.name_alone(at + 2)
    bracketed = between.kind == "open" and clause.at(at + 3).kind == "close"
    if second is None or (not bracketed and between.link not in ("=", ":", "is", "-")):
        return None
    for letter, word in ((first, second), (second, first)):
        meaning = meaning_of_word(word.text)
        short = len(letter.text) <= 4 < len(word.text) + 1 and meaning_of_word(letter.text) is None
        if short and meaning and meaning in possible(letter.text):
            return clause.evidence_and_value(letter, meaning, first, second, at + (4 if bracketed else 3), word.value)
    return None


def _explained(clause: Clause, at: int, name: Item) -> Found | None:
    """`d` (hidden size)."""
    start = clause.past_fillers(at + 2)
    wording = clause.wording(start)
    if clause.at(at + 1).kind != "open" or wording is None or clause.at(start + 1).kind not in ("close", "separator"):
        return None
    meaning = meant(wording, name.text)
    if meaning and (plausible(name, meaning) or (name.marked and wording.manner == "full")):
        return clause.evidence_and_value(name, meaning, name, clause.at(start), start + 1)
    return None


def _apposed(clause: Clause, at: int, name: Item) -> Found | None:
    """`d`, the hidden size, is …; `s` the sequence length; `d` head-dim between commas."""
    following = clause.at(at + 1)
    comma = following.kind == "separator" and clause.at(at + 2).text == "the" and name.marked
    listed = following.kind == "wording" and clause.at(at - 1).kind == "separator" and name.marked
    if not (comma or listed or following.text == "the"):
        return None
    start = at + (3 if comma else 1 if listed else 2)
    wording = clause.wording(start)
    if wording is None or wording.manner != "full" or clause.at(start + 1).kind not in ("end", "separator", "close"):
        return None
    meaning = meant(wording, name.text)
    if meaning is None or not plausible(name, meaning):
        return None
    return clause.evidence_and_value(name, meaning, name, clause.at(start), start + 1)


def _counting(clause: Clause, at: int, name: Item) -> Found | None:
    """`L` layers; `n` 个头; `V` = 50257 vocabulary size."""
    wording = clause.wording(at + 1)
    meaning = meant(wording, name.text) if wording else None
    if wording is None or meaning is None or clause.narrowed(at + 1) or clause.at(at - 1).text in ("第", "layer", "layers"):
        return None
    usual = plausible(name, meaning)
    an_article = name.text in ARTICLES and not name.marked and name.value is None
    counts = wording.manner == "count" or (name.value is not None and usual)
    unheard_of = name.marked and not possible(name.text)
    if not counts or an_article or not (usual or unheard_of) or clause.at(at + 2).text in UNNAMED_HEADS:
        return None
    if wording.manner != "count" and clause.at(at + 2).kind == "name":
        return None
    return clause.evidence_and_value(name, meaning, name, clause.at(at + 1), at + 2)


def _hyphened(clause: Clause, at: int) -> Found | None:
    """An `L`-layer model."""
    name, dash, noun = clause.at(at), clause.at(at + 1), clause.at(at + 2)
    meaning = HYPHENED.get(noun.text)
    if meaning is None or dash.text != "-" or dash.kind != "operator" or clause.at(at - 1).kind == "operator":
        return None
    alone = len(clause.words(at + 2, at + 3)) == 1 and clause.at(at + 3).text not in UNNAMED_HEADS
    if not alone or not plausible(name, meaning) or (name.text in ARTICLES and not name.marked):
        return None
    return Found((clause.evidence(name, meaning, name, noun),), at + 3)


def _valued(clause: Clause, at: int, name: Item) -> Found | None:
    """`d_model` = 4096. Letters of the vocabulary are bound by the equations themselves."""
    meaning = meaning_of_word(name.text)
    if name.value is None or meaning is None or name.text in BY_NAME:
        return None
    return Found(clause.value(meaning, name.value, name, name), at + 1)
