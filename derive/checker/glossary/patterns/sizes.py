"""Definitions that begin with the wording or a number: "hidden size h", "词表大小为 V", "hidden size of 4096", "32 layers"."""

from __future__ import annotations

from derive.checker.glossary.lines.items import Item
from derive.checker.glossary.patterns.clause import ARTICLES, HYPHENED, UNNAMED_HEADS, Clause, Found, number_for, plausible
from derive.checker.glossary.wordings.phrases import Wording, meant
from derive.symbols import BY_NAME

_PARTIAL = set(
    """first last next top bottom every another other remaining each final extra additional more per these those initial 前 后 每 第
    最 另 余 其""".split()
)
_CHOOSING = set("top selects select activates activate chooses choose picks pick routed uses active activated only".split())
_EMBEDDED = set("hidden embedding embeddings residual model token representations representation".split())


def read_wording(clause: Clause, at: int, wording: Wording) -> Found | None:
    """What is said by what follows the wording at `at`: its letter, or its size."""
    if clause.compound(at):
        return None
    return _named(clause, at, wording) or _sized(clause, at, wording)


def _named(clause: Clause, at: int, wording: Wording) -> Found | None:
    """The hidden size `h`; number of layers (`L`); 词表大小记为 `V`."""
    start = _name_after(clause, at, wording)
    name = clause.name_alone(start) if start else None
    meaning = meant(wording, name.text) if name else None
    if start is None or name is None or meaning is None:
        return None
    bracketed, direct = clause.at(at + 1).kind == "open", start == at + 1
    if not bracketed and _defined_by_what_follows(clause, start, direct, wording, name):
        return None
    if wording.manner != "full" and not _heads(clause, at, name, meaning):
        return None
    an_article = name.text in ARTICLES and not bracketed
    if not name.marked and (an_article or not plausible(name, meaning) or (bracketed and _enumerates(clause, start))):
        return None
    return clause.evidence_and_value(name, meaning, clause.at(at), name, start + 1 + bracketed)


def _name_after(clause: Clause, at: int, wording: Wording) -> int | None:
    """Where the name stands that the wording may introduce."""
    following = clause.at(at + 1)
    if following.kind == "open":
        start = at + 2
        while clause.at(start).link in ("back", "is", "=") or clause.at(start).text in ("i", "e", ".", ","):
            start += 1
        return start if clause.at(start + 1).kind in ("close", "separator") else None
    if following.link in ("is", "=", ":", "back"):
        return at + 2 if clause.at(at + 3).kind not in ("operator", "opaque", "name") else None
    if following.text in (",", "，"):
        behind = clause.at(at + 3)
        apposed = clause.at(at + 2).marked and behind.kind in ("separator", "end") and clause.at(at + 4).kind != "name"
        return at + 2 if apposed and wording.manner == "full" and at + 3 < len(clause.items) else None
    return at + 1


def _defined_by_what_follows(clause: Clause, start: int, direct: bool, wording: Wording, name: Item) -> bool:
    """Whether the name begins a definition of its own: "… the batch size, `s` is the sequence length"."""
    link, then = clause.at(start + 1).link, clause.at(start + 2)
    if link in ("is", "denotes", "each"):
        return not (direct and name.value is not None)
    return link in ("=", ":") and direct and then.kind in ("wording", "filler") and wording.manner != "full"


def _heads(clause: Clause, at: int, name: Item, meaning: str) -> bool:
    """Whether "layers" or "vocab" stands as a heading of the letter: "Layers: L", "heads (h)", "batch B,", "parameters N"."""
    item, before, following = clause.at(at), clause.at(at - 1), clause.at(at + 1)
    linked = following.kind == "open" or following.link in ("=", ":")
    apart = before.kind in ("end", "separator", "open", "number") or before.text in ("with", "given")
    behind = clause.at(at + 2)
    an_index = behind.text in ("and", "or", "和", "与") and clause.at(at + 3).kind in ("opaque", "name")
    in_a_list = apart and following is name and behind.kind in ("separator", "end", "close") and at > 0
    a_total = meaning in ("P_total", "D_tokens") and name.marked
    return (
        plausible(name, meaning) and not an_index and (linked or (name.marked and apart and item.text != "layer") or in_a_list or a_total)
    )


def _enumerates(clause: Clause, at: int) -> bool:
    """Whether `(b)` counts the parts of a sentence: "(a) hidden size (b) number of layers"."""
    return clause.at(at + 1).kind == "close" and clause.at(at + 2).kind in ("word", "wording", "filler")


def _sized(clause: Clause, at: int, wording: Wording) -> Found | None:
    """Hidden size of 4096; sequence length: 2048; 词表大小为 32000."""
    link = clause.at(at + 1).link
    end = at + 2 if link in ("is", "=", ":", "back") else at + 1
    if (link is None and wording.manner != "full") or (wording.manner == "count" and link not in ("=", ":")):
        return None
    if clause.at(end).kind == "open":
        end += 1
    number, behind = clause.at(end), clause.at(end + 1)
    if number.kind != "number" or wording.meaning not in BY_NAME:
        return None
    if behind.kind == "operator" or clause.at(at - 1).kind in ("operator", "number"):
        return None
    if end == at + 1 and behind.wording is not None and behind.wording.manner == "count":
        return None
    return Found(clause.value(wording.meaning, number_for(wording.meaning, number), clause.at(at), number), end + 1)


def read_number(clause: Clause, at: int) -> Found | None:
    """32 layers; a 12-layer model; 4096-dimensional embeddings; 32 attention heads of size 128."""
    number, before = clause.at(at), clause.at(at - 1)
    if before.kind in ("operator", "number") or before.text in _PARTIAL or before.link == "=":
        return None
    if clause.at(at + 1).text == "-" and clause.at(at + 1).kind == "operator":
        return _hyphened(clause, at, number)
    item = clause.at(at + 1)
    wording = item.wording
    if wording is None or wording.meaning not in BY_NAME or clause.narrowed(at + 1) or clause.at(at + 2).text in UNNAMED_HEADS:
        return None
    if not _counts(clause, at, wording) or _too_small(clause, at, number, wording):
        return None
    said = clause.value(wording.meaning, number_for(wording.meaning, number), number, item)
    size = clause.at(at + 4)
    if wording.meaning == "h" and clause.at(at + 2).text == "of" and clause.at(at + 3).text in ("size", "dim", "dimension", "width"):
        return Found((*said, *clause.value("d_h", size.value, number, size)), at + 5)
    return Found(said, at + 2)


def _counts(clause: Clause, at: int, wording: Wording) -> bool:
    """Whether the number counts the wording: "32 layers"; "768 hidden size" only between commas."""
    if wording.manner == "count":
        return wording.meaning not in ("b", "B")
    apart = clause.at(at - 1).kind in ("separator", "end") and clause.at(at + 2).kind in ("separator", "end", "close")
    return wording.manner == "full" and apart


def _too_small(clause: Clause, at: int, number: Item, wording: Wording) -> bool:
    """Whether it is said of a part, or of an example: "2 layers", "activates 2 experts"."""
    assert number.value is not None
    if wording.meaning == "L":
        return number.value < 4 and len(clause.words(at + 1, at + 2)) < 2
    if wording.meaning == "E":
        return number.value < 2 or any(clause.at(at - back).text in _CHOOSING for back in (1, 2, 3))
    return False


def _hyphened(clause: Clause, at: int, number: Item) -> Found | None:
    """A 12-layer model; 4096-dimensional hidden states."""
    words = clause.words(at + 2, min(at + 5, len(clause.items)))
    if not words:
        return None
    meaning = HYPHENED.get(words[0])
    if words[0] in ("dimensional", "dim"):
        meaning = "d" if _EMBEDDED & set(words[1:3]) else "d_h" if {"head", "heads"} & set(words[1:3]) else None
    if meaning is None or UNNAMED_HEADS & set(words[1:2]) or (meaning == "L" and number.value is not None and number.value < 4):
        return None
    last = clause.at(at + 2)
    return Found(clause.value(meaning, number_for(meaning, number), number, last), at + 3)
